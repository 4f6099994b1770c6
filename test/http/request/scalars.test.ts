import { describe, expect, it } from '@jest/globals'
import * as z from 'zod/mini'
import { pydanticProblems } from '../../../lib/http/request/pydanticProblems.ts'
import { laxBoolean, nullAsAbsent, organizationId, pydanticUuid } from '../../../lib/http/schema.ts'

const id = '1b4e28ba-2fa1-4d2b-883f-0016d3cca427'
const problemsOf = (schema: z.ZodMiniType, input: unknown) =>
  pydanticProblems('query', z.object({ x: schema }).safeParse({ x: input }, { reportInput: true }).error?.issues ?? [])

describe('laxBoolean', () => {
  it.each([true, 1, '1', 'true', 'TRUE', 't', 'Yes', 'y', 'on'])('reads %j as true', (input) => {
    expect(laxBoolean().parse(input)).toBe(true)
  })

  it.each([false, 0, '0', 'false', 'F', 'no', 'n', 'Off'])('reads %j as false', (input) => {
    expect(laxBoolean().parse(input)).toBe(false)
  })

  it.each(['', ' true', '1.0', 'enabled', 2, -1])('refuses %j as bool_parsing', (input) => {
    expect(problemsOf(laxBoolean(), input)).toEqual([
      { loc: ['query', 'x'], msg: 'Input should be a valid boolean, unable to interpret input', type: 'bool_parsing' },
    ])
  })

  it.each([[null], [0.5], [[]], [{}], [Number.POSITIVE_INFINITY]])('refuses %j as bool_type', (input) => {
    expect(problemsOf(laxBoolean(), input)).toEqual([
      { loc: ['query', 'x'], msg: 'Input should be a valid boolean', type: 'bool_type' },
    ])
  })
})

describe('pydanticUuid', () => {
  it.each([id, id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, `urn:uuid:${id}`])('reads %s', (input) => {
    expect(pydanticUuid().parse(input)).toBe(id)
    expect(organizationId().parse(input)).toBe(id)
  })

  it('reads any version and variant, the nil UUID included', () => {
    const nil = '00000000-0000-0000-0000-000000000000'
    expect(organizationId().parse(nil)).toBe(nil)
  })

  // [bug 15]
  it.each([
    ['', 'invalid length: expected length 32 for simple format, found 0'],
    ['abc', 'invalid length: expected length 32 for simple format, found 3'],
    ['nope', 'invalid character at 1'],
    [`${id} `, 'invalid character at 37'],
    ['é', 'invalid character at 1'],
    ['a\u{1F600}', 'invalid character at 2'],
    [`{${id}`, 'invalid character at 1'],
    [`URN:UUID:${id}`, 'invalid character at 1'],
    [`{${id.replaceAll('-', '')}}`, 'invalid character at 1'],
    [`${id},${id}`, 'invalid character at 37'],
    ['a-b-c-d', 'invalid group count: expected 5, found 4'],
    [`${id}-`, 'invalid group count: expected 5, found 6'],
    [id.slice(1), 'invalid group length in group 0: expected 8, found 7'],
    [id.slice(0, -1), 'invalid group length in group 4: expected 12, found 11'],
  ])('refuses %j with its reason', (input, reason) => {
    const problem = { loc: ['query', 'x'], msg: `Input should be a valid UUID, ${reason}`, type: 'uuid_parsing' }
    expect(problemsOf(pydanticUuid(), input)).toEqual([problem])
    expect(problemsOf(organizationId(), input)).toEqual([problem])
  })
})

describe('nullAsAbsent', () => {
  it('reads null as absent', () => {
    const schema = z.object({ x: nullAsAbsent(z.string()) })
    expect(schema.parse({ x: null }).x).toBeUndefined()
    expect(schema.parse({}).x).toBeUndefined()
    expect(schema.parse({ x: '' }).x).toBe('')
  })
})

describe('The JSON Schema of a contract', () => {
  it('has the types that lax scalars parse to', () => {
    const schema = z.object({
      id: organizationId(),
      at: z.prefault(laxBoolean(), true),
      code: nullAsAbsent(z.string()),
    })
    expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({
      properties: {
        id: { type: 'string', format: 'uuid' },
        at: { type: 'boolean', default: true },
        code: { type: ['string', 'null'] },
      },
      required: ['id'],
    })
  })
})
