import { describe, expect, it } from '@jest/globals'
import { useCleanStack } from '../useCleanStack.ts'
import { extra, missing, problem, useRawCheckout } from './checkoutRequests.ts'

const bed = useCleanStack()
const checkout = useRawCheckout(bed)

const good = { product_codes: ['no_such_plan'] }

const uuidProblem = {
  loc: ['query', 'organization_id'],
  msg: expect.stringMatching(/^Input should be a valid UUID, ./),
  type: 'uuid_parsing',
}
const codes = ['body', 'product_codes'] as const
const notAList = problem('list_type', 'Input should be a valid list', ...codes)
const notAString = (...loc: (string | number)[]) => problem('string_type', 'Input should be a valid string', ...loc)
const tooLong = (index: number) =>
  problem('string_too_long', 'String should have at most 64 characters', ...codes, index)
const tooShort = (index: number) =>
  problem('string_too_short', 'String should have at least 1 character', ...codes, index)
const tooMany = (found: number) =>
  problem('too_long', `List should have at most 20 items after validation, not ${found}`, ...codes)
const noItem = problem('too_short', 'List should have at least 1 item after validation, not 0', ...codes)
const pattern = (field: string, text: string) =>
  problem('string_pattern_mismatch', `String should match pattern '${text}'`, 'body', field)
const badCard = pattern('payment_method_id', '^[A-Za-z0-9_-]{1,255}$')
const cardNumber = problem(
  'value_error',
  'Value error, the id of a saved card is expected. Never send the number of a card',
  'body',
  'payment_method_id',
)
const badCoupon = pattern('coupon_code', '^[A-Za-z0-9_-]{1,64}$')

describe('POST /api/billing/checkout', () => {
  describe('Given a query that names no organization', () => {
    const id = '5f2b8c1e-9d4a-4e6f-8a7b-1c2d3e4f5a6b'
    it.each([
      ['is missing', 'organisation_id=x', missing('query', 'organization_id')],
      ['is empty', 'organization_id=', uuidProblem],
      ['is sent twice', `organization_id=${id}&organization_id=${id}`, uuidProblem],
      ['is no UUID', 'organization_id=not-a-uuid', uuidProblem],
      ['lacks a digit', `organization_id=${id.slice(0, -1)}`, uuidProblem],
      ['ends with a space', `organization_id=${id}%20`, uuidProblem],
    ])('answers 422 where the id %s', async (_, query, found) => {
      await checkout.expectProblems({ query, body: good }, [found])
    })

    it('accepts the id in each spelling that pydantic accepts', async () => {
      const own = checkout.organizationId()
      for (const spelled of [own.toUpperCase(), own.replaceAll('-', ''), `%7B${own}%7D`, `urn:uuid:${own}`]) {
        await checkout.expectRead({ query: `organization_id=${spelled}`, body: good }, good.product_codes)
      }
    })
  })

  describe('Given product_codes that do not validate', () => {
    const many = Array.from({ length: 21 }, (_, index) => `plan_${index}`)
    it.each<[string, unknown, object[]]>([
      ['no product_codes', {}, [missing(...codes)]],
      ['null', { product_codes: null }, [notAList]],
      ['a string', { product_codes: 'base_ota' }, [notAList]],
      ['an object', { product_codes: { 0: 'base_ota' } }, [notAList]],
      ['a number', { product_codes: 1 }, [notAList]],
      ['an empty list', { product_codes: [] }, [noItem]],
      ['21 codes', { product_codes: many }, [tooMany(21)]],
      ['21 codes and a bad one among them', { product_codes: [...many, 1, ''] }, [tooMany(23)]],
      ['an empty code', { product_codes: [''] }, [tooShort(0)]],
      ['a code of 65 characters', { product_codes: ['base_ota', 'x'.repeat(65)] }, [tooLong(1)]],
      ['a code of 65 emoji', { product_codes: ['😀'.repeat(65)] }, [tooLong(0)]],
      [
        'every bad code',
        { product_codes: [1, 'ok', null, '', true, 'x'.repeat(65), ['base_ota'], {}] },
        [
          notAString(...codes, 0),
          notAString(...codes, 2),
          tooShort(3),
          notAString(...codes, 4),
          tooLong(5),
          notAString(...codes, 6),
          notAString(...codes, 7),
        ],
      ],
    ])('answers 422 to %s', async (_, body, problems) => {
      await checkout.expectProblems({ body }, problems)
    })

    it.each([
      ['64 emoji, which are 64 code points', ['😀'.repeat(64)]],
      ['20 codes', many.slice(0, 20)],
      ['blank and odd codes', [' ', '\u0000', '"', '../x']],
    ])('accepts %s', async (_, product_codes) => {
      await checkout.expectRead({ body: { product_codes } }, product_codes)
    })
  })

  describe('Given a payment_method_id or a coupon_code that does not validate', () => {
    const texts = ['', ' ', 'pm 1', 'pm_1\n', 'pm/../1', 'pm_ä', 'pm_１', '😀', "1'--"]
    it.each([...texts, 'x'.repeat(256)])('answers 422 to the payment_method_id %j', async (payment_method_id) => {
      await checkout.expectProblems({ body: { ...good, payment_method_id } }, [badCard])
    })

    it.each(['4242424242424242', '4242-4242-4242-4242', '1'])(
      'says that the number of a card is not wanted: %s',
      async (payment_method_id) => {
        await checkout.expectProblems({ body: { ...good, payment_method_id } }, [cardNumber])
      },
    )
    it.each([...texts, 'x'.repeat(65)])('answers 422 to the coupon_code %j', async (coupon_code) => {
      await checkout.expectProblems({ body: { ...good, coupon_code } }, [badCoupon])
    })
    it.each([1, true, [], {}, ['pm_1']])('answers 422 to both being %j, and coerces nothing', async (value) => {
      await checkout.expectProblems({ body: { ...good, payment_method_id: value, coupon_code: value } }, [
        notAString('body', 'payment_method_id'),
        notAString('body', 'coupon_code'),
      ])
    })
    it('accepts both as null, left out, and at their greatest length', async () => {
      await checkout.expectRead({ body: { ...good, payment_method_id: null, coupon_code: null } }, good.product_codes)
      const longest = { payment_method_id: `pm_-${'9'.repeat(251)}`, coupon_code: `aZ_-${'9'.repeat(60)}` }
      await checkout.expectRead({ body: { ...good, ...longest } }, good.product_codes)
    })
  })

  describe('Given several problems', () => {
    it('lists all of them, the query first, then the body in the order of its fields', async () => {
      const body = { coupon_code: '!', payment_method_id: 7, extra: 1, product_codes: [''] }
      await checkout.expectProblems({ query: 'organization_id=x', body }, [
        uuidProblem,
        tooShort(0),
        notAString('body', 'payment_method_id'),
        badCoupon,
        extra('extra'),
      ])
      await checkout.expectProblems({ query: '', body: {} }, [missing('query', 'organization_id'), missing(...codes)])
    })
  })
})
