import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { products } from '../../../lib/billing/catalog.ts'
import { document, operations } from './openApiDocument.ts'

const objectSchema = z.looseObject({
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.looseObject({})),
})
/** A schema without what its members mean, which `describedMembers.test.ts` holds. */
function undescribed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(undescribed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name, member]) => name !== 'description' || typeof member !== 'string')
  return Object.fromEntries(members.map(([name, member]) => [name, undescribed(member)]))
}

const schemas = z.record(z.string(), z.unknown()).parse(undescribed(document.components.schemas))

function operation(id: string) {
  const found = operations.find(({ operationId }) => operationId === id)
  if (found === undefined) throw new Error(`no operation ${id}`)
  return found
}

function bodyOf(id: string) {
  return objectSchema.parse(operation(id).requestBody?.content['application/json']?.schema)
}

function answerOf(id: string, status: number): unknown {
  return operation(id).responses[status]?.content?.['application/json']?.schema
}

/** The operations that the published interface names. */
const published = ['createToken', 'updateCurrentUser', 'createCheckout', 'createSetupIntent', 'cancelSubscription']

describe('The published interface, in the document', () => {
  it('has a User whose members are required but for is_superuser', () => {
    expect(schemas.User).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        email: { type: 'string', format: 'email' },
        username: { type: 'string' },
        is_active: { type: 'boolean' },
        is_verified: { type: 'boolean' },
        is_superuser: { type: 'boolean' },
        created_at: { type: 'string', format: 'date-time' },
      },
      required: ['id', 'email', 'username', 'is_active', 'is_verified', 'created_at'],
    })
    expect(answerOf('updateCurrentUser', 200)).toEqual({ $ref: '#/components/schemas/User' })
  })

  it.each(published)('answers %s 422 with a list of loc, msg and type, all required', (id) => {
    expect(answerOf(id, 422)).toEqual({ $ref: '#/components/schemas/HTTPValidationError' })
    expect(schemas.HTTPValidationError).toEqual({
      type: 'object',
      properties: { detail: { type: 'array', items: { $ref: '#/components/schemas/ValidationError' } } },
      required: ['detail'],
    })
    const problem = objectSchema.parse(schemas.ValidationError)
    expect(problem.required).toEqual(['loc', 'msg', 'type'])
    expect(problem.properties).toEqual({
      loc: {
        type: 'array',
        items: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      },
      msg: { type: 'string' },
      type: { type: 'string' },
    })
  })

  it('takes client_id, grant_type and a secret if the client has one for a token, and code and redirect_uri where there are any', () => {
    const { required, properties } = bodyOf('createToken')
    // A public client has no secret.
    expect(required).toEqual(['client_id', 'grant_type'])
    expect(properties).toMatchObject({
      client_id: { type: 'string' },
      client_secret: { type: 'string' },
      grant_type: { type: 'string' },
      code: { type: ['string', 'null'] },
      redirect_uri: { type: ['string', 'null'] },
    })
  })

  it('takes a cart of at least one plan code, any string, and a card if one is named', () => {
    const { required, properties } = bodyOf('createCheckout')
    expect(required).toEqual(['product_codes'])
    expect(properties.product_codes).toMatchObject({ type: 'array', minItems: 1, items: { type: 'string' } })
    const optional = ['payment_method_id', 'coupon_code', 'expected_subtotal', 'currency']
    expect(Object.keys(properties)).toEqual(['product_codes', ...optional])
  })

  it('cancels one of the products, at period end by default', () => {
    expect(bodyOf('cancelSubscription')).toMatchObject({
      required: ['product'],
      properties: {
        product: { $ref: '#/components/schemas/Product' },
        at_period_end: { type: 'boolean', default: true },
      },
    })
    expect(schemas.Product).toEqual({ type: 'string', enum: [...products] })
    expect(schemas.CancelResult).toMatchObject({ required: ['status'] })
  })

  it('answers a setup intent with client_secret and nothing else', () => {
    expect(answerOf('createSetupIntent', 200)).toEqual({ $ref: '#/components/schemas/SetupIntent' })
    expect(schemas.SetupIntent).toEqual({
      type: 'object',
      properties: { client_secret: { type: 'string' } },
      required: ['client_secret'],
    })
  })

  it.each(published.slice(2))('asks %s for the organization in the query', (id) => {
    expect(operation(id).parameters?.filter((one) => one.in === 'query')).toMatchObject([
      { in: 'query', name: 'organization_id', required: true, schema: { type: 'string', format: 'uuid' } },
    ])
  })

  it('takes an Idempotency-Key where createSetupIntent, createOrganization and createInvitation are sent', () => {
    const schema = { type: 'string', minLength: 1, maxLength: 255 }
    for (const id of ['createSetupIntent', 'createOrganization', 'createInvitation']) {
      const sent = operation(id).parameters?.filter((one) => one.in === 'header')
      expect(sent).toMatchObject([{ name: 'Idempotency-Key', description: expect.any(String), schema }])
      expect(sent?.[0]?.required ?? false).toBe(false)
    }
  })

  it.each(published.slice(1))('asks %s for an access token, and answers 401 with a challenge without one', (id) => {
    const { security, responses } = operation(id)
    const scopes = id === 'updateCurrentUser' ? [] : ['billing:write']
    expect(security).toEqual([{ accessToken: [] }, { oauth2: scopes }])
    // An organization may ask for another sign-in.
    const challenge = id === 'updateCurrentUser' ? 'BearerChallenge' : 'StepUpChallenge'
    expect(responses[401]?.headers).toEqual({ 'WWW-Authenticate': { $ref: `#/components/headers/${challenge}` } })
  })

  it('answers checkout with the list of lines at every status that a line decides', () => {
    const lines = { type: 'array', items: { $ref: '#/components/schemas/CartLineResult' } }
    for (const status of [201, 400, 402, 409, 502]) expect(answerOf('createCheckout', status)).toEqual(lines)
    for (const status of [404, 503]) {
      expect(answerOf('createCheckout', status)).toMatchObject({
        anyOf: [lines, { $ref: '#/components/schemas/Error' }],
      })
    }
  })
})

describe('A refusal, in the document', () => {
  it('names what is in the way of a deletion', () => {
    expect(answerOf('deleteOrganization', 409)).toEqual({ $ref: '#/components/schemas/OrganizationInUse' })
    expect(objectSchema.parse(schemas.OrganizationInUse).properties).toMatchObject({
      code: { type: 'string' },
      products: { type: 'array' },
      invoices: { type: 'array' },
    })
    expect(answerOf('deleteCurrentUser', 409)).toEqual({ $ref: '#/components/schemas/AccountInUse' })
  })

  it.each([
    ['createInvitation', 'organization_deleting'],
    ['resendInvitation', 'organization_deleting'],
    ['updateBillingDetails', 'organization_deleting'],
    ['createSetupIntent', 'organization_deleting'],
    ['restoreOrganization', 'organization_deleting'],
    ['updateBillingDetails', 'details_in_use'],
  ])('of %s can be 409 %s', (id, code) => {
    expect(Object.keys(operation(id).responses[409]?.content?.['application/json']?.examples ?? {})).toContain(code)
  })
})

/** Where a schema has an `enum`, by its path. */
function enumsIn(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'enum' in value && Array.isArray(value.enum) ? [path] : []
  return [...own, ...Object.entries(value).flatMap(([name, part]) => enumsIn(part, `${path}/${name}`))]
}

// https://opensource.zalando.com/restful-api-guidelines/#112
describe('The values of an answer', () => {
  const answered = operations.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap(({ content }) => enumsIn(content?.['application/json']?.schema, operationId)),
  )

  it('may grow: they are named, and no answer has an enum', () => {
    const requested = ['Product', 'Role']
    const named = Object.entries(schemas).filter(([name]) => !requested.includes(name))
    expect([...answered, ...named.flatMap(([name, schema]) => enumsIn(schema, name))]).toEqual([])
    expect(schemas.ProductOutput).toEqual({ type: 'string', 'x-extensible-enum': [...products] })
    const used = JSON.stringify([named, operations.map(({ responses }) => responses)])
    for (const name of requested) expect(used).not.toContain(`"#/components/schemas/${name}"`)
  })

  it('are a list of those that are known for what can be asked for', () => {
    const { parameters = [] } = operation('listInvoices')
    expect(parameters.find(({ name }) => name === 'status')?.schema).toHaveProperty('enum')
  })
})

describe('Every operation', () => {
  it('answers 429 and 503 with Retry-After', () => {
    const waits = operations
      .flatMap(({ responses }) => [responses[429], responses[503]])
      .filter((one) => one !== undefined)
    expect(waits.length).toBeGreaterThan(20)
    for (const { headers } of waits)
      expect(headers).toMatchObject({ 'Retry-After': { $ref: '#/components/headers/RetryAfter' } })
  })

  it('that reads a body can be too large, and unless it takes a page’s form can be invalid', () => {
    for (const { operationId, requestBody, responses } of operations) {
      if (requestBody === undefined) continue
      const isJson = requestBody.content['application/json'] !== undefined
      const statuses = Object.keys(responses)
      expect({ operationId, statuses }).toEqual({
        operationId,
        statuses: expect.arrayContaining(isJson ? ['413', '422'] : ['413']),
      })
    }
  })
})
