import { describe, expect, it } from '@jest/globals'
import { plainSchemas } from '../../../infra/openapi/plainSchemas.ts'

const plain = (value: object) => {
  plainSchemas(value)
  return value
}

describe('A schema that every generator reads', () => {
  it('has a type or null as a list of types, with what was said beside it', () => {
    const text = { anyOf: [{ type: 'string', maxLength: 5, description: 'inner' }, { type: 'null' }] }
    expect(plain({ ...text, description: 'outer' })).toEqual({
      type: ['string', 'null'],
      maxLength: 5,
      description: 'outer',
    })
    const list = { anyOf: [{ type: 'array', items: { type: 'string', enum: ['a'] } }, { type: 'null' }] }
    expect(plain({ properties: { list } })).toEqual({
      properties: { list: { type: ['array', 'null'], items: { type: 'string', enum: ['a'] } } },
    })
  })

  it.each([
    { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    { anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] },
    { anyOf: [{ $ref: '#/components/schemas/Price' }, { type: 'null' }] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
  ])('keeps what a list of types cannot say: %j', (schema) => {
    expect(plain(structuredClone(schema))).toEqual(schema)
  })

  it('has no list of several types', () => {
    expect(plain({ type: ['string', 'integer'] })).toEqual({ anyOf: [{ type: 'string' }, { type: 'integer' }] })
    expect(plain({ type: ['string', 'null'] })).toEqual({ type: ['string', 'null'] })
  })

  it('has a constant without its type, if that is boolean or null', () => {
    expect(plain({ ok: { type: 'boolean', const: true }, kind: { type: 'string', const: 'a' } })).toEqual({
      ok: { const: true },
      kind: { type: 'string', const: 'a' },
    })
    expect(plain({ 'application/json': { schema: { type: 'null' } } })).toEqual({
      'application/json': { schema: { const: null } },
    })
  })

  it('has an optional member that is true as a boolean', () => {
    const constant = () => ({ type: 'boolean', const: true })
    expect(plain({ properties: { ok: constant(), refunded: constant() }, required: ['ok'] })).toEqual({
      properties: { ok: { const: true }, refunded: { type: 'boolean' } },
      required: ['ok'],
    })
  })

  it('has no default of null, and examples as they are', () => {
    const examples = { sent: { value: { default: null, type: ['a', 'b'] } } }
    expect(plain({ type: 'string', default: null, examples })).toEqual({ type: 'string', examples })
    expect(plain({ type: 'string', default: '' })).toEqual({ type: 'string', default: '' })
  })
})
