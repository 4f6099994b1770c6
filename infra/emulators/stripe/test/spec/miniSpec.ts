const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string', maxLength: 5000 }
const answers = (schema: object) => ({
  responses: {
    200: { content: { 'application/json': { schema } } },
    default: { content: { 'application/json': { schema: ref('error') } } },
  },
})
const hash = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})
const object = (name: string) => ({ type: 'string', enum: [name] })

/** A file of the form of Stripe's, with the ways it has of saying that something may be null or expanded. */
export const miniSpec = {
  openapi: '3.0.0',
  info: { version: '2026-01-01.test' },
  paths: {
    '/v1/shops': {
      get: answers(hash({ object: object('list'), data: { type: 'array', items: ref('shop') } })),
      post: answers(ref('shop')),
    },
    '/v1/shops/search': { get: answers(hash({ object: object('search_result') })) },
    '/v1/shops/{shop}': { get: answers({ anyOf: [ref('shop'), ref('deleted_shop')] }) },
    '/v1/ships': { get: answers(ref('shop')) },
    '/v1/owners/{owner}': { get: answers(ref('owner')) },
    '/v1/events/{id}': { get: answers(ref('event')) },
  },
  components: {
    schemas: {
      shop: hash(
        {
          id: text,
          object: object('shop'),
          status: { type: 'string', enum: ['open', 'closed'] },
          address: { ...ref('address'), nullable: true },
          owner: { anyOf: [text, ref('owner')], nullable: true, 'x-expansionResources': { oneOf: [ref('owner')] } },
          bank: { anyOf: [text, ref('bank')], 'x-expansionResources': { oneOf: [ref('bank')] } },
          metadata: { type: 'object', additionalProperties: text },
          note: { ...text, nullable: true },
        },
        ['id', 'object', 'status', 'address', 'owner'],
      ),
      deleted_shop: hash({ id: text, object: object('shop'), deleted: { type: 'boolean', enum: [true] } }),
      address: hash({ city: text }),
      owner: hash({ id: text, object: object('owner'), name: text }),
      bank: hash({ id: text, object: object('bank'), branch: ref('branch') }),
      branch: hash({ id: text }),
      event: hash({ id: text, object: object('event'), data: hash({ object: { type: 'object' } }) }),
      error: hash({ error: hash({ type: { type: 'string', enum: ['api_error'] }, code: text }, ['type']) }),
    },
  },
}
