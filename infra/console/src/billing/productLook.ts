import type { PricedProduct, Product } from '../app/types.ts'
import { formatInterval, formatMoney } from '../ui/format.ts'
import type { IconName } from '../ui/Icon.tsx'

/** The drawing beside each product. */
export const productIcons = {
  ota: 'update',
  monitoring: 'chart',
  crash_reporting: 'bug',
  remote_ssh: 'terminal',
} as const satisfies Record<Product, IconName>

/** What a product is for, where the price list does not say it. */
const descriptions = {
  ota: 'Ship new versions to devices in the field, and roll back with a click.',
  monitoring: 'See the health of every device, and hear of problems first.',
  crash_reporting: 'Every crash with its stack trace, grouped by cause.',
  remote_ssh: 'Open a shell on any device, behind any firewall.',
} as const satisfies Record<Product, string>

export function descriptionOf({ product, description }: PricedProduct): string {
  return description ?? descriptions[product]
}

/** A product's name; its code in words where it is not on sale any more. */
export function productName(products: readonly PricedProduct[] | undefined, product: Product): string {
  return products?.find((known) => known.product === product)?.name ?? sentence(product)
}

/** A price as people read it: `$49.00 / month`. */
export function priceText({ price }: PricedProduct): string {
  return `${formatMoney(price.amount, price.currency)} / ${formatInterval(price.interval, price.interval_count)}`
}

function sentence(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
