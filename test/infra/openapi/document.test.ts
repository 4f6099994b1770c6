import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { buildDocument } from '../../../infra/openapi/document.ts'
import { readExamples } from '../../../infra/openapi/examples.ts'
import { isHttpRow } from '../../../infra/openapi/operation.ts'
import { committed, document, openApiDocument, operations } from './openApiDocument.ts'

const rows: readonly FunctionRow[] = manifest

const verbs = [
  ...[
    'accept',
    'cancel',
    'change',
    'confirm',
    'create',
    'decline',
    'delete',
    'end',
    'export',
    'get',
    'introspect',
    'leave',
    'list',
    'pay',
    'preview',
  ],
  ...[
    'register',
    'remove',
    'request',
    'resend',
    'reset',
    'restore',
    'resume',
    'revoke',
    'rotate',
    'set',
    'test',
    'transfer',
    'update',
    'verify',
    'withdraw',
  ],
]
const verbFirst = new RegExp(`^(${verbs.join('|')})([A-Z][a-z]+)+$`)

/** Every value in a JSON value under a member of this name. */
function membersNamed(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => membersNamed(name, item))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member] : []),
    ...membersNamed(name, member),
  ])
}

function valueAt(pointer: string): unknown {
  const steps = pointer
    .replace(/^#\//, '')
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([key]) => key === step)?.[1]
        : undefined,
    document,
  )
}

describe('lib/http/openapi.json', () => {
  // [asvs 2.1.1]
  it('is what the contracts say: where it is not, npm run openapi writes it', async () => {
    const built: unknown = JSON.parse(JSON.stringify(await buildDocument(await readExamples())))
    expect(built).toEqual(committed)
  })

  // [asvs 6.4.2]
  it('has an operation for every JSON endpoint of the HTTP API, and for no hosted page', () => {
    const described = operations.map(
      ({ operationId, method, path, summary }) => `${operationId} ${method} ${path} ${summary}`,
    )
    const endpoints = rows.filter(isHttpRow).filter(({ operationId }) => operationId !== undefined)
    const expected = endpoints.flatMap(({ operationId, trigger: { method, path, alsoPost }, summary }) => [
      `${operationId} ${method.toLowerCase()} ${path} ${summary}`,
      ...(alsoPost ? [`${operationId}ByPost post ${path} ${summary}, by POST`] : []),
    ])
    expect(described.sort()).toEqual(expected.sort())
    expect(JSON.stringify(document)).not.toContain('text/html')
  })

  it('names each operation by a verb in camelCase, once', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(verbFirst)
  })

  // https://yaml.org/spec/1.2.2/#51-character-set
  it('is printable: no control character, invisible character or noncharacter, which readers of YAML refuse', () => {
    const text = JSON.stringify(document)
    expect(text.match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu)).toBeNull()
  })

  it('names no address: servers and sign-in are relative to where it was loaded from', () => {
    const places = [document.servers, document.components.securitySchemes]
    const urls = ['url', 'authorizationUrl', 'tokenUrl', 'refreshUrl'].flatMap((name) => membersNamed(name, places))
    expect(urls).toEqual(['/', '/api/oauth/authorize', '/api/oauth/token', '/api/oauth/token', '/api/oauth/token'])
    expect(JSON.stringify(document)).not.toMatch(/localhost|127\.0\.0\.1:3000/)
  })
})

describe('The errors of the document', () => {
  const answers = operations.flatMap(({ responses }) =>
    Object.entries(responses).filter(([status]) => Number(status) >= 400),
  )
  const schemas = answers.map(([, { content }]) => content?.['application/json']?.schema)

  it('are shared components: inline are only the lines of checkout, or either', () => {
    const inline = new Set(
      schemas.filter((schema) => !(schema && '$ref' in schema)).map((schema) => JSON.stringify(schema)),
    )
    expect(schemas.length).toBeGreaterThan(150)
    expect(inline.size).toBeLessThanOrEqual(12)
    for (const schema of inline) expect(schema).toMatch(/CartLineResult|GatewayError/)
  })

  it('have sentences as examples, and no constant', () => {
    const { Error: error, OAuthError: oauth } = document.components.schemas
    for (const { properties } of [error, oauth].map((one) => z.looseObject({ properties: z.unknown() }).parse(one))) {
      expect(properties).toMatchObject({ detail: { type: 'string' }, code: { type: 'string' } })
      expect(JSON.stringify(properties)).not.toMatch(/"(const|enum)"/)
    }
  })

  it('of API Gateway itself have a schema of their own: 431 everywhere, and 413 where there is a body', () => {
    const gatewayError = '#/components/schemas/GatewayError'
    for (const { responses, requestBody } of operations) {
      expect(responses[431]?.content?.['application/json']?.schema).toEqual({ $ref: gatewayError })
      const tooLarge = JSON.stringify(responses[413]?.content)
      expect(tooLarge?.includes(gatewayError) ?? false).toBe(requestBody !== undefined)
    }
  })
})

describe('The document as OpenAPI 3.1', () => {
  it('holds the objects that the specification names, and no other field', async () => {
    const built: unknown = JSON.parse(JSON.stringify(await buildDocument(await readExamples())))
    expect(openApiDocument.safeParse(built).error?.issues ?? []).toEqual([])
  })

  it('refers to nothing that is not there', () => {
    const references = membersNamed('$ref', document).map(String)
    expect(references.length).toBeGreaterThan(10)
    expect(references.filter((pointer) => valueAt(pointer) === undefined)).toEqual([])
  })

  it('describes every path parameter of its template, once', () => {
    for (const { path, parameters = [] } of operations) {
      const described = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      expect(described).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length)
    }
  })

  it('uses only tags and security schemes that it describes', () => {
    const tags = document.tags.map(({ name }) => name)
    const schemes = Object.keys(document.components.securitySchemes)
    for (const { tags: own, security } of operations) {
      expect(tags).toEqual(expect.arrayContaining(own))
      expect(schemes).toEqual(expect.arrayContaining(security.flatMap((choice) => Object.keys(choice))))
    }
  })
})
