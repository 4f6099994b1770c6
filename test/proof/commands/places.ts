import { productOf } from '../../../lib/billing/catalog.ts'
import { organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import type { Code, Place } from './referenceModel.ts'

export const organizationIds = [
  organizationIdSchema.parse('5f2b8c1e-9d4a-4e6f-8a7b-1c2d3e4f5a6b'),
  organizationIdSchema.parse('9a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d'),
] as const
export const userIds = [
  userIdSchema.parse('0e4c7d2a-3b5f-4a8e-9c6d-7f8e9a0b1c2d'),
  userIdSchema.parse('4b6d8f0a-1c3e-4f5a-8b7d-9e0f1a2b3c4d'),
] as const

/** The same as callers. */
export const callers = [
  { userId: userIds[0], securityRev: 0 },
  { userId: userIds[1], securityRev: 0 },
] as const

export function productOfCode(code: Code) {
  const product = productOf(code)
  if (!product) throw new Error(`Nothing is sold as ${code}`)
  return product
}

/** A line's slot as the key of a purchase names it. */
export function slotName(organization: Place, code: Code): string {
  return `${organizationIds[organization]}:${productOfCode(code)}`
}
