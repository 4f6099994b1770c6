import * as z from 'zod'
import { createSchema, type ZodOpenApiOperationObject, type ZodOpenApiRequestBodyObject } from 'zod-openapi'
import { withStrictBody } from '../../lib/http/strictBody.ts'
import type { Example } from './examples.ts'
import { answersPages, type Operation } from './operation.ts'
import { published } from './published.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The path and query parameters of an operation. */
export function parametersOf({
  contract: { path, query },
}: Operation): Pick<ZodOpenApiOperationObject, 'requestParams'> {
  const requestParams = {
    ...(path instanceof z.ZodObject && { path }),
    ...(query instanceof z.ZodObject && { query }),
  }
  return Object.keys(requestParams).length > 0 ? { requestParams } : {}
}

/** What may be sent: JSON; the form of a page; for clients JSON or the form of RFC 6749, which their libraries send. */
export function requestBodyOf(
  operation: Operation,
  examples: readonly Example[],
): ZodOpenApiRequestBodyObject | undefined {
  const { row, contract } = operation
  const { body, responses } = contract
  if (body === undefined) return undefined
  const strict = isStrict(operation) && body instanceof z.ZodObject ? withStrictBody({ body, responses }).body : body
  const sent = (type: string) =>
    examplesOf(
      examples.filter(({ request }) => request.contentType === type),
      strict,
    )
  const json = { [JSON_TYPE]: { schema: strict === body ? body : closed(body), ...sent(JSON_TYPE) } }
  const form = (schema: JsonSchema | z.ZodType) => ({ [FORM_TYPE]: { schema, ...sent(FORM_TYPE) } })
  if (answersPages(contract)) return { required: true, content: form(body) }
  return { required: true, content: row.caller === 'client' ? { ...json, ...form(clientForm(body)) } : json }
}

/** Whether members that are not listed are refused: clients and pages may send some. */
function isStrict({ row, contract }: Operation): boolean {
  return row.caller !== 'client' && !answersPages(contract)
}

/** Requests that the contract takes: of one that it refuses, only the answer is an example. */
function examplesOf(examples: readonly Example[], body: z.ZodType) {
  const taken = examples.filter(({ request }) => body.safeParse(request.body).success)
  const named = taken.map(({ name, request }) => [name, { value: request.body }] as const)
  return named.length > 0 ? { examples: Object.fromEntries(named) } : {}
}

type JsonSchema = ReturnType<typeof createSchema>['schema']

/** Of the body as its contract has it, by which `fieldNotes` knows it. */
function closed(body: z.ZodType): JsonSchema {
  const { schema } = createSchema(body, { io: 'input', opts: { override: published } })
  return typeof schema === 'boolean' ? schema : { ...schema, additionalProperties: false }
}

/** Forms know no null, and their credentials may come by HTTP Basic instead. */
function clientForm(body: z.ZodType): JsonSchema {
  const { schema } = createSchema(body, { io: 'input', opts: { override: published } })
  if (typeof schema === 'boolean' || !('properties' in schema)) return schema
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, withoutNull(property)] as const,
  )
  const required = schema.required?.filter((name) => name !== 'client_id' && name !== 'client_secret')
  return { ...schema, properties: Object.fromEntries(properties), ...(required && { required }) }
}

function withoutNull(property: JsonSchema): JsonSchema {
  if (typeof property === 'boolean' || !('type' in property) || !Array.isArray(property.type)) return property
  const [only, ...others] = property.type.filter((type) => type !== 'null')
  return only === undefined || others.length > 0 ? property : { ...property, type: only }
}
