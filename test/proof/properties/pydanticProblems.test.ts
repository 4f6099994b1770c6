import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { contract as cancel } from '../../../functions/billing-cancel/contract.ts'
import { contract as checkout } from '../../../functions/billing-checkout/contract.ts'
import { pydanticProblems } from '../../../lib/http/request/pydanticProblems.ts'
import { checkProperty } from './checkProperty.ts'
import { json, nearly } from './jsonValues.ts'

const named = [
  'missing',
  'extra_forbidden',
  'string_type',
  'list_type',
  'model_attributes_type',
  'string_too_short',
  'string_too_long',
  'too_short',
  'too_long',
  'string_pattern_mismatch',
  'enum',
  'bool_parsing',
  'bool_type',
  // Of the number of a card.
  'value_error',
]

const bodies = [
  {
    name: 'checkout',
    schema: checkout.body,
    valid: { product_codes: ['base_ota', 'addon_monitoring'], payment_method_id: 'pm_1', coupon_code: 'CODE' },
  },
  { name: 'cancel', schema: cancel.body, valid: { product: 'ota', at_period_end: true } },
]

describe.each(bodies)('The problems of any body of $name', ({ schema, valid }) => {
  it('are named as pydantic names them, one a value, and there are some exactly where the body is refused', () => {
    checkProperty(
      fc.property(fc.oneof(nearly(valid), json), (body) => {
        const { success, error } = schema.safeParse(body, { reportInput: true })
        const problems = pydanticProblems('body', error?.issues ?? [])
        expect(problems.length > 0).toBe(!success)
        expect(problems.filter(({ type }) => !named.includes(type))).toEqual([])
        expect(problems.filter(({ loc }) => loc[0] !== 'body')).toEqual([])
        const places = problems.map(({ loc }) => JSON.stringify(loc))
        expect(new Set(places).size).toBe(places.length)
      }),
    )
  })

  it('repeat no value that was sent', () => {
    const marked = nearly(valid).map((body) =>
      JSON.parse(JSON.stringify(body ?? null), (_, value) => {
        return typeof value === 'string' ? `secret ${value}` : value
      }),
    )
    checkProperty(
      fc.property(marked, (body) => {
        const { error } = schema.safeParse(body, { reportInput: true })
        const messages = pydanticProblems('body', error?.issues ?? []).map(({ msg }) => msg)
        expect(messages.filter((message) => message.includes('secret'))).toEqual([])
      }),
    )
  })
})
