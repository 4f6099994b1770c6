import type { CreateDocumentOptions } from 'zod-openapi'
import { contract as cancel } from '../../functions/billing-cancel/contract.ts'
import { contract as device } from '../../functions/oauth-device-authorization/contract.ts'
import { contract as revoke } from '../../functions/oauth-revoke/contract.ts'
import { contract as token } from '../../functions/oauth-token/contract.ts'
import { userResource } from '../../lib/users/account/userResource.ts'
import { describeAuditLog } from './auditLog.ts'
import { portablePattern } from './portablePattern.ts'

/**
 * Members that the document does not require: those that are always answered today and that no client may rely on, and the secret that a
 * public client has none of.
 */
const notRequired: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  [userResource, ['is_superuser']],
  [cancel.responses[200], ['effective_at']],
  [token.body, ['client_secret']],
  [device.body, ['client_secret']],
  [revoke.body, ['client_secret']],
])

const namedFormats: readonly unknown[] = ['uuid', 'date-time', 'email', 'uri']

type Schema = Parameters<NonNullable<CreateDocumentOptions['override']>>[0]['jsonSchema']

/**
 * The values of an answer may grow: those of now are named, and any other string is valid too, so that a generated client reads an answer of
 * a later version (https://opensource.zalando.com/restful-api-guidelines/#112). What is sent stays an `enum`.
 */
function letGrow(schema: Schema): void {
  const { enum: values } = schema
  if (values === undefined) return
  delete schema.enum
  Object.assign(schema, { type: 'string', 'x-extensible-enum': values })
}

type Written = Parameters<NonNullable<CreateDocumentOptions['override']>>[0]

/** `published` for a document with these bodies of requests, which refuse members that they do not list. */
export function publishedWith(closedBodies: ReadonlySet<unknown>): (written: Written) => void {
  return (written) => {
    published(written)
    if (closedBodies.has(written.zodSchema)) written.jsonSchema.additionalProperties = false
  }
}

/**
 * What the document says of a schema beside what zod says. An answer may get more members; a format's name is enough, without zod's pattern
 * for it; integers are not bounded by what JavaScript can count; a pattern is one that every generator's language reads.
 */
function published({ zodSchema, jsonSchema, io }: Written): void {
  if (namedFormats.includes(jsonSchema.format)) delete jsonSchema.pattern
  if (jsonSchema.pattern !== undefined) jsonSchema.pattern = portablePattern(jsonSchema.pattern)
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties

  if (io === 'output') letGrow(jsonSchema)

  // It is for strings (OpenAPI 3.1 §4.8.25), and a boolean distinguishes a bought line from a refused one.
  delete jsonSchema.discriminator

  const free = notRequired.get(zodSchema)
  if (free) jsonSchema.required = (jsonSchema.required ?? []).filter((name) => !free.includes(name))

  describeAuditLog(zodSchema, jsonSchema)
}
