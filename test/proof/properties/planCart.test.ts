import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { planCodes, products } from '../../../lib/billing/catalog.ts'
import { planLines } from '../../../lib/billing/checkout/planCart.ts'
import { isFree, slotStateSchema } from '../../../lib/billing/slot/slot.ts'
import { noon, pendingSlot, slot } from '../../billing/fixtures.ts'
import { checkProperty } from './checkProperty.ts'

const now = noon * 1000
const states = slotStateSchema.options
const plans = products.map((product) => planCodes[product])
const codes = fc.array(fc.oneof(fc.constantFrom(...plans), fc.string()), { maxLength: 20 })

/** The organization's slots in any states, with leases that end around now. */
const slots = fc
  .tuple(...products.map(() => fc.tuple(fc.constantFrom(...states), fc.integer({ min: -2, max: 2 }))))
  .map((all) =>
    all.map(([state, lease], index) => {
      const product = products[index] ?? 'ota'
      if (state !== 'pending') return slot({ product, state })
      const pending = pendingSlot({ product })
      return { ...pending, ...(pending.claim && { claim: { ...pending.claim, leaseUntil: now + lease } }) }
    }),
  )

describe('Reading any cart', () => {
  it('answers every line in order, and touches a product once', () => {
    checkProperty(
      fc.property(codes, slots, (cart, current) => {
        const steps = planLines(cart, current, now)
        expect(
          steps.map((step) => (step.kind === 'answered' ? step.line.productCode : planCodes[step.slot.product])),
        ).toEqual(cart)
        const open = steps.flatMap((step) => (step.kind === 'answered' ? [] : [step]))
        expect(new Set(open.map(({ slot: { product } }) => product)).size).toBe(open.length)
      }),
    )
  })

  it('claims what is free and takes over what is no longer leased, and nothing else', () => {
    checkProperty(
      fc.property(codes, slots, (cart, current) => {
        const steps = planLines(cart, current, now).map((step) =>
          step.kind === 'answered' ? [] : [step.kind, step.slot],
        )
        const expected = current.flatMap((held) => {
          if (!cart.includes(planCodes[held.product])) return []
          if (isFree(held)) return [['claim', held]]
          if (held.state === 'incomplete') return [['pay_incomplete', held]]
          return held.state === 'pending' && held.claim && held.claim.leaseUntil <= now ? [['take_over', held]] : []
        })
        expect(new Set(steps.filter(({ length }) => length > 0))).toEqual(new Set(expected))
      }),
    )
  })
})
