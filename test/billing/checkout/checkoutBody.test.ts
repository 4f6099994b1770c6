import { describe, expect, it } from '@jest/globals'
import { errorBody } from '../../support/errorBody.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { extra, missing, problem, useRawCheckout } from './checkoutRequests.ts'

const bed = useCleanStack()
const checkout = useRawCheckout(bed)

const good = { product_codes: ['no_such_plan'] }
const KIB = 1024

const notAnObject = problem(
  'model_attributes_type',
  'Input should be a valid dictionary or object to extract fields from',
  'body',
)
const brokenJson = { loc: ['body', expect.any(Number)], msg: 'JSON decode error', type: 'json_invalid' }
const noOrganization = missing('query', 'organization_id')

describe('POST /api/billing/checkout', () => {
  describe('Given a body that is no JSON object', () => {
    it.each(['[]', '"base_ota"', '1', 'true', '[{"product_codes":["base_ota"]}]'])(
      'answers 422 to %s',
      async (body) => {
        await checkout.expectProblems({ body }, [notAnObject])
      },
    )

    it.each([
      ['nothing', undefined],
      ['null', 'null'],
    ])('answers 422 that the body is missing to %s', async (_, body) => {
      await checkout.expectProblems({ query: '', body }, [noOrganization, missing('body')])
    })

    it.each([
      '{',
      '{product_codes:[]}',
      '{"product_codes":["a"],}',
      "{'a':1}",
      'NaN',
      '{"a":1}{',
      '{"a":"\\ud800"}',
      ' ',
    ])('answers 422 with the broken JSON alone, whatever the query is: %s', async (body) => {
      await checkout.expectProblems({ body }, [brokenJson])
      await checkout.expectProblems({ query: 'organization_id=x', body }, [brokenJson])
    })

    it('repeats nothing of what was sent in its answer', async () => {
      const secret = 'pm_4242 4242'
      for (const body of [{ product_codes: secret, payment_method_id: secret, coupon_code: secret }, `{${secret}`]) {
        const answer = await checkout.send({ query: `organization_id=${encodeURIComponent(secret)}`, body })
        expect(answer.status).toBe(422)
        expect(answer.text).not.toContain('4242')
        expect(answer.text).not.toContain('"input"')
      }
    })
  })

  describe('Given a content type', () => {
    const text = JSON.stringify(good)
    // [asvs 3.5.2]
    it.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/json',
      'application/jsonp',
      'application/json-seq',
      '',
    ])('answers 422 where it is %j, which is not JSON', async (type) => {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
      await checkout.expectProblems({ headers, body: text }, [notAnObject])
      await checkout.expectProblems({ query: '', headers, body: text }, [noOrganization, notAnObject])
    })
    it.each([
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/vnd.api+json',
      'application/merge-patch+json',
    ])('accepts %s', async (type) => {
      await checkout.expectRead({ headers: { 'content-type': type }, body: text }, good.product_codes)
    })
  })

  describe('Given members that the contract does not list', () => {
    it('refuses each of them: a misspelt coupon does not sell at full price', async () => {
      const body = `{"product_codes":["a"],"coupon":"half","__proto__":{"coupon_code":"half"},"product_codes":["b"]}`
      await checkout.expectProblems({ body }, [extra('coupon'), extra('__proto__')])
    })
  })

  describe('Given a body that is large', () => {
    const ofLength = (length: number) => {
      const text = JSON.stringify(good)
      return `${text}${' '.repeat(length - text.length)}`
    }
    it('accepts 32 KiB', async () => {
      expect(Buffer.byteLength(ofLength(32 * KIB))).toBe(32 * KIB)
      await checkout.expectRead({ body: ofLength(32 * KIB) }, good.product_codes)
    })
    it.each([
      ['JSON', ofLength(32 * KIB + 1)],
      ['no JSON', '{'.repeat(32 * KIB + 1)],
      ['fewer characters in more bytes', `{"a":"${'ä'.repeat(17 * KIB)}"}`],
    ])('answers 413 to more, be it %s, whatever the query is', async (_, body) => {
      const tooLarge = errorBody('The request body is larger than 32 KiB', 'payload_too_large')
      await checkout.expectRefused({ body }, 413, tooLarge)
      await checkout.expectRefused({ query: 'organization_id=x', body }, 413, tooLarge)
    })
  })
})
