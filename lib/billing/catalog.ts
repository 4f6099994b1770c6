import * as z from 'zod/mini'
import { named } from '../http/schema.ts'
import { planCodes } from './planCodes.ts'

/**
 * Every product on sale with its plan code. Entitlements and cancel requests use the same product names. A plan code is the `lookup_key`
 * of a Stripe Price. Only Stripe knows what it costs.
 */
export { planCodes }

export type Product = keyof typeof planCodes
export type PlanCode = (typeof planCodes)[Product]

export const products: readonly Product[] = Object.keys(planCodes).filter(isProduct)
export const productSchema = named('Product', z.enum(products))

/** The product that a plan code sells; undefined if the code is not on sale. */
export function productOf(planCode: string): Product | undefined {
  return products.find((product) => planCodes[product] === planCode)
}

/** The products of these plan codes, without duplicates. Skips a code that is not on sale. */
export function productsOf(codes: readonly string[]): Product[] {
  return [...new Set(codes.flatMap((code) => productOf(code) ?? []))]
}

function isProduct(name: string): name is Product {
  return Object.hasOwn(planCodes, name)
}
