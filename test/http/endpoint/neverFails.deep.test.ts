import { describe, expect, it } from '@jest/globals'
import * as z from 'zod/mini'
import { protectedEndpoint, tokenEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import {
  boundedList,
  boundedString,
  laxBoolean,
  nullAsAbsent,
  organizationId,
  patternString,
} from '../../../lib/http/schema.ts'
import { createRandom } from '../../proof/world/worldTime.ts'
import { call, fakeDeps, signedIn } from '../call.ts'

// The same in each run, so that a failure can be repeated.
const random = createRandom(20_261_120)
const below = (limit: number): number => Math.floor(random() * limit)
const oneOf = <T>(choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0]

const pieces = [
  ...['{', '}', '[', ']', ':', ',', '"', '\\', '\\ud800', '\\u0000', '\uD800', '\uFEFF', '😀', 'é', ' ', '\n'],
  ...[
    '1',
    '-0',
    '1e400',
    'NaN',
    'Infinity',
    'null',
    'true',
    '%',
    '&',
    '=',
    '+',
    '%ff',
    '9'.repeat(20_000),
    '['.repeat(9_000),
  ],
  ...[
    '"__proto__"',
    '"constructor"',
    '"prototype"',
    '"product"',
    '"list"',
    '"flag"',
    '"id"',
    '"ota"',
    'grant_type=x',
    'code=',
  ],
] as const
const values = [
  '1',
  '""',
  '"ota"',
  '"\\udc00"',
  'null',
  'true',
  '[]',
  '["a",1]',
  '{}',
  '{"__proto__":null}',
  '0.5',
  '1e999',
] as const
const keys = [
  'product',
  'list',
  'flag',
  'id',
  'text',
  '__proto__',
  'constructor',
  'toString',
  '',
  'grant_type',
  '😀',
] as const
const types = [
  ...['application/json', 'application/json; charset=utf-16', 'APPLICATION/LD+JSON', 'application/+json', 'text/plain'],
  ...[
    'application/x-www-form-urlencoded',
    'application/json,application/json',
    ';',
    '',
    '\u0000',
    'multipart/form-data',
  ],
] as const

const object = () => `{${Array.from({ length: below(5) }, () => `"${oneOf(keys)}":${oneOf(values)}`).join(',')}}`
const nearlyRight = () => `{"product":"ota","list":["a"],"${oneOf(keys)}":${oneOf(values)}}`
const noise = () => Array.from({ length: below(12) }, () => oneOf(pieces)).join('')
const bytes = () => Buffer.from(Array.from({ length: below(40) }, () => below(256))).toString('latin1')
const text = () => oneOf([object, nearlyRight, noise, noise, bytes])()

describe('An endpoint that receives random requests', () => {
  const { deps } = fakeDeps()
  const body = z.object({
    product: z.enum(['ota', 'monitoring']),
    list: boundedList(boundedString({ min: 1, max: 64 }), { min: 1, max: 20 }),
    flag: z.prefault(laxBoolean(), true),
    text: nullAsAbsent(patternString(/^[a-z]{1,9}$/)),
  })
  const strict = z.strictObject({ text: nullAsAbsent(z.string()), flag: z.prefault(laxBoolean(), true) })
  const query = z.object({ id: organizationId() })
  const token = z.object({ client_id: z.string(), client_secret: z.string(), grant_type: z.string() })
  const responses = { 200: z.object({ detail: z.string() }) }
  const taken = async () => ({ status: 200 as const, body: { detail: 'taken' } })
  const handlers = [
    protectedEndpoint({ query, body, responses }, deps, taken),
    protectedEndpoint({ body: strict, responses }, deps, taken),
    tokenEndpoint({ body: token, responses }, deps, taken),
  ] as const

  // [asvs 2.2.1]
  it('answers each below 500, with a detail', async () => {
    const counts: Record<string, number> = {}
    for (let n = 0; n < 2_000; n += 1) {
      const sent = {
        query: oneOf(['', noise(), 'id=%', 'id=1b4e28ba-2fa1-4d2b-883f-0016d3cca427', '__proto__=1&id=&id']),
        headers: { ...signedIn, 'content-type': oneOf(types), ...(below(9) === 0 && { authorization: noise() }) },
        body: below(20) === 0 ? undefined : text(),
        isBase64Encoded: below(4) === 0,
      }
      const answer = await call(oneOf(handlers), sent)
      if (!(Number(answer.status) < 500)) throw new Error(`${answer.status} to ${JSON.stringify(sent)}`)
      expect(answer.body).toHaveProperty('detail')
      counts[String(answer.status)] = (counts[String(answer.status)] ?? 0) + 1
    }
    // Noise that is always refused for the same reason would prove little.
    for (const status of ['200', '400', '401', '413', '422']) expect(counts).toHaveProperty(status)
  })
})
