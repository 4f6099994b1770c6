import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as z from 'zod'

/** The objects of OpenAPI 3.1 as far as the document has use for them; any field that is not named here is a mistake. */
const text = z.string().min(1)
const schema = z.record(z.string(), z.unknown())
const reference = z.strictObject({ $ref: z.string().startsWith('#/components/') })
const example = z.strictObject({ value: z.unknown() })
const examples = z.record(text, z.union([reference, example]))
const content = z.partialRecord(
  z.enum(['application/json', 'application/x-ndjson', 'application/x-www-form-urlencoded']),
  mediaType(),
)
const header = z.strictObject({ description: text.optional(), required: z.boolean().optional(), schema })
const parameter = z.discriminatedUnion('in', [
  z.strictObject({ in: z.literal('path'), required: z.literal(true), ...parameterFields() }),
  z.strictObject({ in: z.literal('query'), required: z.boolean().optional(), ...parameterFields() }),
  z.strictObject({ in: z.literal('header'), required: z.boolean().optional(), ...parameterFields() }),
])
const response = z.strictObject({
  description: text,
  headers: z.record(text, z.union([reference, header])).optional(),
  content: content.optional(),
})
const operation = z.strictObject({
  operationId: text,
  tags: z.array(text).length(1),
  summary: text,
  description: text.optional(),
  deprecated: z.literal(true).optional(),
  security: z.array(z.record(text, z.array(text))),
  parameters: z.array(parameter).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([reference, response])),
})
const scopes = z.record(text, text)
const flows = z.strictObject({
  authorizationCode: z.strictObject({ authorizationUrl: text, tokenUrl: text, refreshUrl: text, scopes }),
  clientCredentials: z.strictObject({ tokenUrl: text, scopes }),
})
const securityScheme = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('http'), scheme: text, bearerFormat: text.optional(), description: text }),
  z.strictObject({ type: z.literal('oauth2'), description: text, flows }),
])

/** What `document` is read with. */
export const openApiDocument = z.strictObject({
  openapi: z.literal('3.1.1'),
  info: z.strictObject({
    title: text,
    version: text,
    description: text,
    license: z.strictObject({ name: text, identifier: text }),
  }),
  servers: z.array(z.strictObject({ url: text, description: text })),
  tags: z.array(z.strictObject({ name: text, description: text })),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
  ),
  components: z.strictObject({
    schemas: z.record(text, schema),
    securitySchemes: z.record(text, securityScheme),
    headers: z.record(text, header),
    responses: z.record(text, response),
    examples: z.record(z.string().regex(/^[\w.-]+$/), example),
  }),
})

function mediaType() {
  return z.strictObject({ schema, examples: examples.optional() })
}

function parameterFields() {
  return { name: text, description: text.optional(), schema, examples: examples.optional() }
}

/** The committed document. */
export const committed: unknown = JSON.parse(
  readFileSync(new URL('../../../lib/http/openapi.json', import.meta.url), 'utf8'),
)

export const document = openApiDocument.parse(committed)

/** Every operation with its method, its path and its JSON pointer in the document; each of its responses likewise, shared ones too. */
export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, described]) => {
    const pointer = `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`
    const responses = Object.entries(described.responses).map(
      ([status, given]) => [status, responseAt(given, `${pointer}/responses/${status}`)] as const,
    )
    return { ...described, responses: Object.fromEntries(responses), path, method, pointer }
  }),
)

/** A response with its pointer: its own, or that of the shared one that it refers to. */
function responseAt(given: z.infer<typeof reference> | z.infer<typeof response>, pointer: string) {
  if (!('$ref' in given)) return { ...given, pointer }
  const shared = document.components.responses[given.$ref.replace('#/components/responses/', '')]
  if (shared === undefined) throw new Error(`no ${given.$ref}`)
  return { ...shared, pointer: given.$ref }
}

/** The headers of a response, by their names in lower case. */
export function headersAt(given: Pick<z.infer<typeof response>, 'headers'> | undefined) {
  return Object.entries(given?.headers ?? {}).map(([name, one]) => {
    const shared = '$ref' in one ? document.components.headers[one.$ref.replace('#/components/headers/', '')] : one
    return { name: name.toLowerCase(), required: shared?.required === true }
  })
}

/** The value of an example, or of the shared one that it refers to. */
export function exampleValue(given: z.infer<typeof reference> | z.infer<typeof example>): unknown {
  return '$ref' in given
    ? document.components.examples[given.$ref.replace('#/components/examples/', '')]?.value
    : given.value
}

export type DocumentedOperation = (typeof operations)[number]

const ID = 'openapi.json'
const ajv = new Ajv2020({
  allErrors: true,
  formats: {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    email: /^[^\s@]+@[^\s@]+$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    uri: URL.canParse,
    'uri-reference': true,
    password: true,
  },
  // A schema may name several types, and its type beside a list of alternatives.
  allowUnionTypes: true,
  strictTypes: false,
})
// Values of answers that may grow: https://opensource.zalando.com/restful-api-guidelines/#112
ajv.addVocabulary([...Object.keys(document), 'x-extensible-enum'])
ajv.addSchema({ $id: ID, ...document })

/** The schema at a JSON pointer of the document, compiled by the rules of JSON Schema 2020-12; unknown keywords and formats are errors. */
export function schemaAt(pointer: string): ValidateFunction {
  return ajv.compile({ $ref: `${ID}${pointer}` })
}

/** What a value has against the schema at a JSON pointer: nothing, or every error of it. */
export function errorsOf(pointer: string, value: unknown) {
  const validate = schemaAt(pointer)
  return validate(value) ? [] : (validate.errors ?? [])
}

/** The pointer of the schema of one media type, under a request body or a response. */
export function contentPointer(parent: string, type: string): string {
  return `${parent}/content/${type.replaceAll('/', '~1')}/schema`
}
