import * as z from 'zod'

/** The products in the vocabulary of entitlements and cancel requests. */
export const productSchema = z.enum(['ota', 'monitoring', 'crash_reporting', 'remote_ssh'])
export type Product = z.infer<typeof productSchema>

/** One plan per product. A plan code is the `lookup_key` of a Stripe Price; what it costs is known to Stripe alone. */
export const planCodes = {
  ota: 'base_ota',
  monitoring: 'addon_monitoring',
  crash_reporting: 'addon_crash_reporting',
  remote_ssh: 'addon_remote_ssh',
} as const satisfies Record<Product, string>

export type PlanCode = (typeof planCodes)[Product]

export const products: readonly Product[] = productSchema.options

/** The product that a plan code sells; undefined for a code that is not sold. */
export function productOf(planCode: string): Product | undefined {
  return products.find((product) => planCodes[product] === planCode)
}
