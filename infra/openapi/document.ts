import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import { type FunctionRow, manifest } from '../manifest.ts'
import { type Example, examplesOf, type RecordedExamples } from './examples.ts'
import { loadContract } from './loadContract.ts'
import { isHttpRow, type Operation } from './operation.ts'
import { descriptionOf, overview, parameterNotes, tagOf, tags } from './prose.ts'
import { published } from './published.ts'
import { parametersOf, requestBodyOf } from './requests.ts'
import { responsesOf } from './responses.ts'
import { namedSchemas } from './schemas.ts'
import { securityOf, securitySchemes } from './security.ts'

/** The package's own version, which is the API's too. */
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))

export type OpenApiDocument = ReturnType<typeof createDocument>

/** The manifest's operations with their contracts, in its order. */
export async function operations(): Promise<Operation[]> {
  const rows: readonly FunctionRow[] = manifest
  return Promise.all(rows.filter(isHttpRow).map(async (row) => ({ row, contract: await loadContract(row) })))
}

/**
 * The OpenAPI 3.1 document of the HTTP API, drawn from the manifest and the functions' contracts. The same every time: its examples were
 * recorded before.
 */
export async function buildDocument(recorded: RecordedExamples): Promise<OpenApiDocument> {
  const all = await operations()
  const used = new Set(all.map(({ row }) => tagOf(row)))
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: { title: 'Console backend', version, description: overview },
      servers: [{ url: '/', description: 'Where this document was loaded from' }],
      tags: tags.filter(({ name }) => used.has(name)),
      paths: pathsOf(all, recorded),
      components: { schemas: namedSchemas, securitySchemes, headers },
    },
    { override: published },
  )
  addParameterExamples(document, recorded)
  return document
}

const headers = {
  RetryAfter: { description: 'Seconds to wait', required: true, schema: { type: 'integer', minimum: 1 } },
  BearerChallenge: {
    description: '`Bearer`; with `error="invalid_token"` where a token was sent (RFC 6750 §3)',
    required: true,
    schema: { type: 'string' },
  },
  BasicChallenge: { description: 'Only after HTTP Basic was tried', schema: { type: 'string' } },
} as const

function pathsOf(all: readonly Operation[], recorded: RecordedExamples): ZodOpenApiPathsObject {
  const byPath = Map.groupBy(all, ({ row }) => row.trigger.path)
  const items = [...byPath].map(([path, own]) => {
    const methods = own.map((operation) => {
      const { method } = operation.row.trigger
      return [method.toLowerCase(), operationOf(operation, examplesOf(operation.row.name, recorded))] as const
    })
    return [path, Object.fromEntries(methods)] as const
  })
  return Object.fromEntries(items)
}

function operationOf(operation: Operation, examples: readonly Example[]): ZodOpenApiOperationObject {
  const { row } = operation
  const requestBody = requestBodyOf(operation, examples)
  const description = descriptionOf(row)
  return {
    operationId: row.name,
    tags: [tagOf(row)],
    summary: row.summary,
    ...(description !== '' && { description }),
    security: securityOf(row),
    ...parametersOf(operation),
    ...(requestBody && { requestBody }),
    responses: responsesOf(operation, examples),
  }
}

/** Parameters come from one schema for all of them; their notes and the values of the examples are added to each. */
function addParameterExamples({ paths = {} }: OpenApiDocument, recorded: RecordedExamples): void {
  for (const item of Object.values(paths)) {
    for (const operation of [item.get, item.post, item.patch, item.delete]) {
      const examples = examplesOf(operation?.operationId ?? '', recorded)
      for (const parameter of operation?.parameters ?? []) {
        if (!('in' in parameter)) continue
        const note = parameterNotes[parameter.name]
        if (note !== undefined) parameter.description = note
        const values = examples.flatMap(({ name, request, response }) => {
          const value = (parameter.in === 'path' ? request.path : request.query)[parameter.name]
          return value === undefined || response.status === 422 ? [] : [[name, { value }]]
        })
        if (values.length > 0) parameter.examples = Object.fromEntries(values)
      }
    }
  }
}
