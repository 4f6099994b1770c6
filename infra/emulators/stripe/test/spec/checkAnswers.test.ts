import { describe, expect, it } from '@jest/globals'
import { createAnswerChecker } from './checkAnswers.ts'
import { isExplained } from './explained.ts'
import { miniSpec } from './miniSpec.ts'
import { readSpec } from './readSpec.ts'

const endpoints = [
  { method: 'GET', path: '/v1/shops' },
  { method: 'GET', path: '/v1/shops/search' },
  { method: 'GET', path: '/v1/shops/:id' },
  { method: 'GET', path: '/v1/owners/:id' },
  { method: 'GET', path: '/v1/events/:id' },
]
const spec = readSpec(JSON.stringify(miniSpec), endpoints)
const owner = { id: 'ow_1', object: 'owner', name: 'A' }
const shop = { id: 'sh_1', object: 'shop', status: 'open', address: { city: 'Bern' }, owner: 'ow_1' }

function findings(body: unknown, { method = 'GET', path = '/v1/shops/sh_1', status = 200 } = {}) {
  const checker = createAnswerChecker(spec)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  checker.check({ method, path, status, body: text })
  return checker.findings()
}
const problems = (...answer: Parameters<typeof findings>) =>
  findings(...answer).mismatches.map(({ where, what }) => `${where} ${what}`)

describe('An answer of the emulator', () => {
  it.each([
    ['as the file has it', shop],
    ['null beside a reference', { ...shop, address: null }],
    ['null beside a union', { ...shop, owner: null }],
    ['null beside a type', { ...shop, note: null }],
    ['an expanded object that the emulator answers with', { ...shop, owner }],
    ['any metadata', { ...shop, metadata: { any: 'thing' } }],
    ['the other of two objects', { id: 'sh_1', object: 'shop', deleted: true }],
  ])('passes with %s', (_case, body) => {
    expect(problems(body)).toEqual([])
  })

  it.each([
    ['a member is missing', { ...shop, status: undefined }, "/ must have required property 'status'"],
    ['a nested member is missing', { ...shop, address: {} }, "/address must have required property 'city'"],
    ['a member is not in the file', { ...shop, colour: 'red' }, '/ must not have colour'],
    [
      'a member of what was expanded is not in the file',
      { ...shop, owner: { ...owner, age: 7 } },
      '/owner must not have age',
    ],
    ['a word is none of those allowed', { ...shop, status: 'ajar' }, '/status must be one of ["open","closed"]'],
    ['null is not allowed', { ...shop, metadata: null }, '/metadata must be object'],
    ['metadata is no text', { ...shop, metadata: { a: 1 } }, '/metadata/a must be string'],
  ])('is reported where %s', (_case, body, expected) => {
    expect(problems(body)).toContain(expected)
  })

  it('is reported once, with a count, however many rows of a list have the problem', () => {
    const row = { ...shop, colour: 'red' }
    const { mismatches } = findings({ object: 'list', data: [row, shop, row] }, { path: '/v1/shops?limit=3' })
    expect(mismatches).toMatchObject([{ operation: 'GET /v1/shops', where: '/data/*', what: 'must not have colour' }])
  })

  it.each([
    [{ object: 'subscription_item' }, '/items/data/0', 'plan', true],
    [{ object: 'subscription' }, '/', 'plan', false],
    [{ interval: 'month' }, '/items/data/0/price/recurring', 'trial_period_days', true],
    [{ interval: 'month' }, '/items/data/0/price/recurring', 'colour', false],
    [{ brand: 'visa' }, '/data/3/payment_method_details/card', 'electronic_commerce_indicator', true],
    [{ brand: 'visa' }, '/card', 'electronic_commerce_indicator', false],
  ])('of %j at %s with %s is explained by the table of differences: %s', (value, path, member, explained) => {
    expect(isExplained(path, value, member)).toBe(explained)
  })

  it('passes with a member that the table explains, and with no other', () => {
    const product = { ...shop, object: 'product', tax_details: null }
    const whats = problems({ ...product, colour: 'red' })
    expect(whats.join()).toContain('must not have colour')
    expect(whats.join()).not.toContain('tax_details')
  })

  it('is not checked where Stripe has no such path', () => {
    const body = { error: { type: 'invalid_request_error', message: 'Unrecognized request URL (GET: /v1/nothing).' } }
    expect(findings(body, { path: '/v1/nothing', status: 404 })).toMatchObject({ answers: 0, mismatches: [] })
  })

  it('is checked against the error schema where it is an error', () => {
    expect(problems({ error: { type: 'api_error' } }, { status: 500 })).toEqual([])
    expect(problems({ error: { type: 'bad' } }, { status: 400 })).toEqual(['/error/type must be one of ["api_error"]'])
    expect(problems(shop, { status: 400 })).not.toEqual([])
  })

  it('is not checked where its error code is the emulator’s own', () => {
    const { answers, mismatches } = findings({ error: { type: 'x', code: 'unsupported_operation' } }, { status: 501 })
    expect([answers, mismatches]).toEqual([0, []])
  })

  it('is not checked if the emulator has no such operation: a test scripted it', () => {
    expect(findings({ any: 1 }, { path: '/v1/ships' })).toMatchObject({ answers: 0, mismatches: [] })
  })

  it('is reported where it is not JSON, and where Stripe has no such operation', () => {
    expect(problems('<html>')).toEqual(['/ is not JSON'])
    expect(problems({}, { path: '/v1/boats' })).toEqual(['/ is no operation of the file'])
  })

  it('is explained where a file may lack the operation, whether its last word looks like an id or is none', () => {
    for (const path of ['/v1/confirmation_tokens', '/v1/events/evt_1/retry', '/v1/setup_intents/seti_1/authenticate'])
      expect(problems({}, { method: 'POST', path })).toEqual([])
  })

  it('takes a literal path before one with an id', () => {
    const { operations } = findings({ object: 'search_result' }, { path: '/v1/shops/search' })
    expect([...operations]).toEqual(['GET /v1/shops/search'])
  })

  it('is checked against the schema of its object where it is an event', () => {
    const event = (object: object) => ({ id: 'evt_1', object: 'event', data: { object } })
    const path = '/v1/events/evt_1'
    expect(problems(event(owner), { path })).toEqual([])
    expect(problems(event({ ...owner, age: 7 }), { path })).toEqual(["event's owner: / must not have age"])
  })
})

describe('The part of the file that is read', () => {
  it('limits expandable fields to the objects that the emulator returns', () => {
    expect(Object.keys(spec.definitions).sort()).toEqual(['address', 'deleted_shop', 'error', 'event', 'owner', 'shop'])
    expect(problems({ ...shop, bank: 'ba_1' })).toEqual([])
    expect(problems({ ...shop, bank: { id: 'ba_1', object: 'bank', branch: { id: 'b' } } })).toEqual([
      '/bank must be string',
    ])
  })

  it('counts the schemas that answers were checked against', () => {
    expect([...findings(owner, { path: '/v1/owners/ow_1' }).schemas]).toEqual(['owner'])
    expect([...findings(shop).schemas].sort()).toEqual(['address', 'deleted_shop', 'owner', 'shop'])
  })

  it('has the version and the digest of the file, and refuses any other file', () => {
    expect([spec.version, spec.sha256]).toEqual(['2026-01-01.test', expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect(() => readSpec('{}', [])).toThrow('not an OpenAPI file')
  })
})
