import type { NamedProduct, PricedProduct, Product } from '../../app/types.ts'
import type { Texts } from '../../texts/en.ts'
import type { IconName } from '../../ui/iconPaths.ts'
import { productIcons } from './productIcons.ts'

/** The drawing beside a product. */
export function productIcon(product: Product): IconName {
  const icons: Partial<Record<string, IconName>> = productIcons
  return icons[product] ?? 'box'
}

/**
 * A product by the name that requests take.
 * @throws Error for one that this console does not know: a reload brings a console that does
 */
export function namedProduct(product: Product): NamedProduct {
  if (!isNamed(product)) throw new Error('This console does not know the product')
  return product
}

function isNamed(product: string): product is NamedProduct {
  return Object.hasOwn(productIcons, product)
}

/** The purpose of a product, in the words of the price list, else of the console. */
export function descriptionOf({ product, description }: PricedProduct, { products }: Pick<Texts, 'products'>): string {
  const own: Partial<Record<string, string>> = products.descriptions
  return description ?? own[product] ?? ''
}

/** A product's name; its code in words if it is no longer on sale. */
export function productName(products: readonly PricedProduct[] | undefined, product: Product): string {
  return products?.find((known) => known.product === product)?.name ?? sentence(product)
}

function sentence(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
