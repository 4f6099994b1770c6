import { beforeAll, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../support/billingStack.ts'
import { cleanAfterEach } from './cleanAfterEach.ts'

const bed = useBillingStack()
cleanAfterEach(bed)

const KIB = 1024
const jsonType = { 'content-type': 'application/json' }
const good = { product_codes: ['no_such_plan'] }

interface Sent {
  query?: string
  headers?: Record<string, string>
  /** Sent as it is where it is text or bytes, as JSON otherwise. */
  body?: unknown
}

let token = ''
let query = ''
beforeAll(async () => {
  const { stack } = bed
  token = await stack.token()
  query = `organization_id=${await stack.client.newOrganization()}`
  await stack.emulator.flush()
})

async function send({ body, headers = jsonType, ...sent }: Sent) {
  const raw = typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : undefined
  const text = body === undefined ? undefined : JSON.stringify(body)
  const bytes = raw ?? text
  return bed.stack.wire({
    method: 'POST',
    path: `/api/billing/checkout?${sent.query ?? query}`,
    token,
    headers,
    ...(bytes !== undefined && { body: bytes }),
  })
}

/** The answer is 422 with exactly these problems, and neither store nor gateway heard of the request. */
async function expectProblems(sent: Sent, problems: readonly object[]): Promise<void> {
  const { stack } = bed
  stack.dynamoDb.reset()
  await stack.emulator.clearRequests()
  const answer = await send(sent)
  expect(answer.body).toEqual({ detail: problems })
  expect(answer.status).toBe(422)
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' })
  expect(stack.dynamoDb.calls()).toEqual([])
  expect(await stack.emulator.requests()).toEqual([])
}

/** The request is past validation: every line is answered. */
async function expectRead(sent: Sent, codes: readonly string[]): Promise<void> {
  const answer = await send(sent)
  expect(answer.body).toEqual(
    codes.map((code) => expect.objectContaining({ product_code: code, error: 'unknown_plan' })),
  )
  expect(answer.status).toBe(404)
}

const problem = (type: string, msg: string, ...loc: (string | number)[]) => ({ loc, msg, type })
const missing = (...loc: string[]) => problem('missing', 'Field required', ...loc)
const uuidProblem = {
  loc: ['query', 'organization_id'],
  msg: expect.stringMatching(/^Input should be a valid UUID, ./),
  type: 'uuid_parsing',
}
const notAnObject = problem(
  'model_attributes_type',
  'Input should be a valid dictionary or object to extract fields from',
  'body',
)
const brokenJson = { loc: ['body', expect.any(Number)], msg: 'JSON decode error', type: 'json_invalid' }
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
      ['has a space behind', `organization_id=${id}%20`, uuidProblem],
    ])('answers 422 where the id %s', async (_, query, found) => {
      await expectProblems({ query, body: good }, [found])
    })

    it('reads the id in each spelling that pydantic reads', async () => {
      const own = query.slice('organization_id='.length)
      for (const spelled of [own.toUpperCase(), own.replaceAll('-', ''), `%7B${own}%7D`, `urn:uuid:${own}`]) {
        await expectRead({ query: `organization_id=${spelled}`, body: good }, good.product_codes)
      }
    })
  })

  describe('Given product_codes that are none', () => {
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
      await expectProblems({ body }, problems)
    })

    it.each([
      ['64 emoji, which are 64 code points', ['😀'.repeat(64)]],
      ['20 codes', many.slice(0, 20)],
      ['blank and odd codes', [' ', '\u0000', '"', '../x']],
    ])('reads %s', async (_, product_codes) => {
      await expectRead({ body: { product_codes } }, product_codes)
    })
  })

  describe('Given a payment_method_id or a coupon_code that is no token', () => {
    const texts = ['', ' ', 'pm 1', 'pm_1\n', 'pm/../1', 'pm_ä', 'pm_１', '😀', "1'--"]
    it.each([...texts, 'x'.repeat(256)])('answers 422 to the payment_method_id %j', async (payment_method_id) => {
      await expectProblems({ body: { ...good, payment_method_id } }, [badCard])
    })
    it.each([...texts, 'x'.repeat(65)])('answers 422 to the coupon_code %j', async (coupon_code) => {
      await expectProblems({ body: { ...good, coupon_code } }, [badCoupon])
    })
    it.each([1, true, [], {}, ['pm_1']])('answers 422 to both being %j, and coerces nothing', async (value) => {
      await expectProblems({ body: { ...good, payment_method_id: value, coupon_code: value } }, [
        notAString('body', 'payment_method_id'),
        notAString('body', 'coupon_code'),
      ])
    })
    it('reads both as null, as left out, and at their greatest length', async () => {
      await expectRead({ body: { ...good, payment_method_id: null, coupon_code: null } }, good.product_codes)
      const longest = { payment_method_id: `pm_-${'9'.repeat(251)}`, coupon_code: `aZ_-${'9'.repeat(60)}` }
      await expectRead({ body: { ...good, ...longest } }, good.product_codes)
    })
  })

  describe('Given several problems', () => {
    it('lists all of them, the query first, then the body in the order of its fields', async () => {
      const body = { coupon_code: '!', payment_method_id: 7, extra: 1, product_codes: [''] }
      await expectProblems({ query: 'organization_id=x', body }, [
        uuidProblem,
        tooShort(0),
        notAString('body', 'payment_method_id'),
        badCoupon,
      ])
      await expectProblems({ query: '', body: {} }, [missing('query', 'organization_id'), missing(...codes)])
    })
  })

  describe('Given a body that is no JSON object', () => {
    it.each(['[]', '"base_ota"', '1', 'true', '[{"product_codes":["base_ota"]}]'])(
      'answers 422 to %s',
      async (body) => {
        await expectProblems({ body }, [notAnObject])
      },
    )

    it.each([
      ['nothing', undefined],
      ['null', 'null'],
    ])('answers that the body is missing to %s', async (_, body) => {
      await expectProblems({ query: '', body }, [missing('query', 'organization_id'), missing('body')])
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
    ])('answers broken JSON alone, whatever the query is: %s', async (body) => {
      await expectProblems({ body }, [brokenJson])
      await expectProblems({ query: 'organization_id=x', body }, [brokenJson])
    })

    it('repeats nothing of what was sent', async () => {
      const secret = 'pm_4242 4242'
      for (const body of [{ product_codes: secret, payment_method_id: secret, coupon_code: secret }, `{${secret}`]) {
        const answer = await send({ query: `organization_id=${encodeURIComponent(secret)}`, body })
        expect(answer.status).toBe(422)
        expect(answer.text).not.toContain('4242')
        expect(answer.text).not.toContain('"input"')
      }
    })
  })

  describe('Given a content type', () => {
    const text = JSON.stringify(good)
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
      await expectProblems({ headers, body: text }, [notAnObject])
      await expectProblems({ query: '', headers, body: text }, [missing('query', 'organization_id'), notAnObject])
    })
    it.each([
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/vnd.api+json',
      'application/merge-patch+json',
    ])('reads %s', async (type) => {
      await expectRead({ headers: { 'content-type': type }, body: text }, good.product_codes)
    })
  })

  describe('Given members that nobody asked for', () => {
    it('ignores them', async () => {
      const body = `{"product_codes":["a"],"organization_id":7,"__proto__":{"coupon_code":"!"},"product_codes":["b"]}`
      await expectRead({ body }, ['b'])
    })
  })

  describe('Given a body that is large', () => {
    const ofLength = (length: number) => {
      const text = JSON.stringify({ ...good, padding: '' })
      return text.replace('""', `"${'x'.repeat(length - text.length)}"`)
    }
    it('reads 32 KiB', async () => {
      expect(Buffer.byteLength(ofLength(32 * KIB))).toBe(32 * KIB)
      await expectRead({ body: ofLength(32 * KIB) }, good.product_codes)
    })
    it.each([
      ['JSON', ofLength(32 * KIB + 1), query],
      ['no JSON', '{'.repeat(32 * KIB + 1), 'organization_id=x'],
      ['fewer characters but more bytes', `{"a":"${'ä'.repeat(17 * KIB)}"}`, ''],
    ])('answers 413 to more, be it %s', async (_, body, query) => {
      const { stack } = bed
      stack.dynamoDb.reset()
      const answer = await send({ query, body })
      expect([answer.status, answer.body]).toEqual([413, { detail: 'Request body is larger than 32 KiB' }])
      expect(stack.dynamoDb.calls()).toEqual([])
      expect(await stack.emulator.requests()).toEqual([])
    })
  })
})
