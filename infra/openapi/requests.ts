import * as z from 'zod/mini'
import { createSchema, type ZodOpenApiOperationObject, type ZodOpenApiRequestBodyObject } from 'zod-openapi'
import { withStrictBody } from '../../lib/http/request/validated.ts'
import type { Example } from './examples.ts'
import type { Operation } from './operation.ts'
import { publishedWith } from './published.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The path, query and header parameters of an operation. */
export function parametersOf({
  contract: { path, query, headers },
}: Operation): Pick<ZodOpenApiOperationObject, 'requestParams'> {
  const requestParams = {
    ...(path instanceof z.ZodMiniObject && { path }),
    ...(query instanceof z.ZodMiniObject && { query }),
    ...(headers && { header: headers }),
  }
  return Object.keys(requestParams).length > 0 ? { requestParams } : {}
}

/** What may be sent: JSON; for clients also the form of RFC 6749, which their libraries send. */
export function requestBodyOf(
  operation: Operation,
  examples: readonly Example[],
): ZodOpenApiRequestBodyObject | undefined {
  const { row, contract } = operation
  const { body, responses } = contract
  if (body === undefined) return undefined
  const strict =
    closedBody(operation) && body instanceof z.ZodMiniObject ? withStrictBody({ body, responses }).body : body
  const sent = (type: string) =>
    examplesOf(
      examples.filter(({ request }) => request.contentType === type),
      strict,
    )
  const json = { [JSON_TYPE]: { schema: body, ...sent(JSON_TYPE) } }
  const form = (schema: JsonSchema | z.ZodMiniType) => ({ [FORM_TYPE]: { schema, ...sent(FORM_TYPE) } })
  const content = row.caller === 'client' ? { ...json, ...form(clientForm(body)) } : json
  return { required: !contract.bodyIsOptional, content }
}

/** The body that refuses unknown members; undefined if there is no body, and for OAuth clients, which may send unknown members. */
export function closedBody({ row, contract }: Operation): z.ZodMiniType | undefined {
  return row.caller === 'client' ? undefined : contract.body
}

/** Requests that the contract accepts. If it refuses a request, only the answer is an example. */
function examplesOf(examples: readonly Example[], body: z.ZodMiniType) {
  const taken = examples.filter(({ request }) => body.safeParse(request.body).success)
  const named = taken.map(({ name, request }) => [name, { value: request.body }] as const)
  return named.length > 0 ? { examples: Object.fromEntries(named) } : {}
}

type JsonSchema = ReturnType<typeof createSchema>['schema']

/** Forms know no null, and their credentials may come by HTTP Basic instead. */
function clientForm(body: z.ZodMiniType): JsonSchema {
  const { schema } = createSchema(body, { io: 'input', opts: { override: publishedWith(new Set()) } })
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
