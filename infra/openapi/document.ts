import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi'
import type { Contract } from '../../lib/http/contract.ts'
import { type FunctionRow, manifest } from '../manifest.ts'
import { auditDetailSchemas } from './auditLog.ts'
import { errorExamples } from './errorExamples.ts'
import { type Example, examplesOf, type RecordedExamples } from './examples.ts'
import { headers } from './headers.ts'
import { isHttpRow, type Operation, operationOf, withPost } from './operation.ts'
import { plainSchemas } from './plainSchemas.ts'
import { descriptionOf, overview, tagOf, tags } from './prose.ts'
import { publishedWith } from './published.ts'
import { closedBody, parametersOf, requestBodyOf } from './requests.ts'
import { responsesOf, sharedResponses } from './responses.ts'
import { securityOf, securitySchemes } from './security.ts'

/** The package's own version and license, which are the API's too. */
const { version, license } = z
  .object({ version: z.string(), license: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')))

type OpenApiDocument = ReturnType<typeof createDocument>

/** The manifest's JSON endpoints with their contracts, in its order. */
export async function operations(): Promise<Operation[]> {
  const rows: readonly FunctionRow[] = manifest
  const all = await Promise.all(rows.filter(isHttpRow).map(async (row) => operationOf(row, await loadContract(row))))
  return all.filter((one) => one !== undefined)
}

/**
 * The OpenAPI 3.1 document of the HTTP API, drawn from the manifest and the functions' contracts. The same every time: its examples were
 * recorded before.
 */
export async function buildDocument(recorded: RecordedExamples): Promise<OpenApiDocument> {
  const all = (await operations()).flatMap(withPost)
  const used = new Set(all.map(({ row }) => tagOf(row)))
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Console backend',
        version,
        description: overview,
        license: { name: license, identifier: license },
      },
      servers: [{ url: '/', description: 'Where this document was loaded from' }],
      tags: tags.filter(({ name }) => used.has(name)),
      paths: pathsOf(all, recorded),
      components: {
        schemas: auditDetailSchemas,
        responses: sharedResponses,
        examples: { ...errorExamples },
        securitySchemes,
        headers,
      },
    },
    { override: publishedWith(new Set(all.map(closedBody).filter((body) => body !== undefined))) },
  )
  plainSchemas(document)
  keepReferences(document)
  dropUnused(document)
  addParameterExamples(document, all, recorded)
  return document
}

function pathsOf(all: readonly Operation[], recorded: RecordedExamples): ZodOpenApiPathsObject {
  const byPath = Map.groupBy(all, ({ row }) => row.trigger.path)
  const items = [...byPath].map(([path, own]) => {
    const methods = own.map((operation) => {
      const { method } = operation.row.trigger
      return [method.toLowerCase(), operationObject(operation, examplesOf(operation.row.name, recorded))] as const
    })
    return [path, Object.fromEntries(methods)] as const
  })
  return Object.fromEntries(items)
}

/** An operation as the document has it. */
export function operationObject(operation: Operation, examples: readonly Example[]): ZodOpenApiOperationObject {
  const { row, contract } = operation
  const requestBody = requestBodyOf(operation, examples)
  const description = descriptionOf(operation)
  return {
    operationId: row.operationId,
    tags: [tagOf(row)],
    summary: row.summary,
    ...(description !== '' && { description }),
    ...(contract.deprecated && { deprecated: true }),
    security: securityOf(operation),
    ...parametersOf(operation),
    ...(requestBody && { requestBody }),
    responses: responsesOf(operation, examples),
  }
}

/** Of the headers and the examples of errors, only those that an operation refers to are published. */
function dropUnused({ paths, components }: OpenApiDocument): void {
  const { examples = {}, headers = {}, responses } = components ?? {}
  const used = JSON.stringify([paths, responses])
  for (const [kind, named] of Object.entries({ examples, headers })) {
    for (const name of Object.keys(named)) {
      if (!used.includes(`"#/components/${kind}/${name}"`)) Reflect.deleteProperty(named, name)
    }
  }
}

/** Adds the values of the examples to each parameter. */
function addParameterExamples(
  { paths = {} }: OpenApiDocument,
  all: readonly Operation[],
  recorded: RecordedExamples,
): void {
  const functionNames = new Map(all.map(({ row }) => [row.operationId, row.name]))
  for (const item of Object.values(paths)) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      const examples = examplesOf(functionNames.get(operation?.operationId ?? '') ?? '', recorded)
      for (const parameter of operation?.parameters ?? []) {
        if (!('in' in parameter)) continue
        const values = examples.flatMap(({ name, request, response }) => {
          const value = (parameter.in === 'path' ? request.path : request.query)[parameter.name]
          return value === undefined || response.status === 422
            ? []
            : [[name, { value: typed(parameter.schema, value) }]]
        })
        if (values.length > 0) parameter.examples = Object.fromEntries(values)
      }
    }
  }
}

/** A parameter's value as its schema has it: `1` of a limit is a number, though a query is text. */
function typed(schema: unknown, text: string): string | number {
  const isInteger = typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'integer'
  return isInteger ? Number(text) : text
}

/**
 * Removes everything beside a reference but its description, everywhere in `value`: zod-openapi leaves what an override changed in the
 * component, and in OpenAPI 3.1 that would count too.
 */
function keepReferences(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && '$ref' in value) {
    for (const name of Object.keys(value)) if (!besideReference.includes(name)) Reflect.deleteProperty(value, name)
  }
  for (const member of Object.values(value)) keepReferences(member)
}

const besideReference: readonly string[] = ['$ref', 'description']

const contractModule = z.object({
  contract: z.custom<Contract>((value) => typeof value === 'object' && value !== null && 'responses' in value),
})

/** The contract of a row's function. Fails if `functions/<name>/contract.ts` is missing or is not the contract of an endpoint. */
export async function loadContract({ name }: Pick<FunctionRow, 'name'>): Promise<Contract> {
  const module: unknown = await import(new URL(`../../functions/${name}/contract.ts`, import.meta.url).href)
  return contractModule.parse(module).contract
}
