import type { PricedProduct, Product } from '../app/types.ts'
import type { Texts } from '../texts/en.ts'
import type { IconName } from '../ui/iconPaths.ts'
import { productIcons } from './productIcons.ts'

/** The drawing beside a product. */
export function productIcon(product: Product): IconName {
  return productIcons[product]
}

/** The purpose of a product, in the words of the price list, else of the console. */
export function descriptionOf({ product, description }: PricedProduct, { products }: Pick<Texts, 'products'>): string {
  return description ?? products.descriptions[product]
}

/** A product's name; its code in words if it is no longer on sale. */
export function productName(products: readonly PricedProduct[] | undefined, product: Product): string {
  return products?.find((known) => known.product === product)?.name ?? sentence(product)
}

function sentence(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
