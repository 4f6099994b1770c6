import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as z from 'zod'

const run = promisify(execFile)
const client = fileURLToPath(new URL('..', import.meta.url))
const documentFile = fileURLToPath(new URL('../../../lib/http/openapi.json', import.meta.url))

/** The files that `generate` writes into a folder. */
export const generatedFiles = ['schema.ts', 'operations.ts'] as const

/**
 * Writes the types of the OpenAPI document and the table of its operations, formatted as the rest.
 * @param folder the client's `src`, or another one to compare with it
 */
export async function generate(folder: string): Promise<void> {
  const [schema, operations] = generatedFiles.map((name) => join(folder, name))
  if (schema === undefined || operations === undefined) throw new Error('There are two files')
  const options = ['--root-types', '--root-types-no-schema-prefix']
  const text = await readFile(documentFile, 'utf8')
  // Its own TypeScript: the service's is newer than it can use.
  const generating = run(join(client, 'node_modules/.bin/openapi-typescript'), ['--output', schema, ...options])
  generating.child.stdin?.end(withKnownValues(text))
  await generating
  await writeFile(schema, (await readFile(schema, 'utf8')).replaceAll(`"${another}"`, '(string & {})'))
  const document: unknown = JSON.parse(text)
  await writeFile(operations, operationTable(document))
  for (const file of [schema, operations]) await writeFile(file, await formatted(file))
}

/** Every other string, among the values that may grow: a plain `string` in the union would swallow the known values. */
const another = 'any other string'

/** The document with the values of answers that may grow as an `enum`, of the known values and `another`. Without `if`, which is no type. */
function withKnownValues(document: string): string {
  const reviver = (name: string, value: unknown) => {
    if (name === 'allOf' && conditions.safeParse(value).success) return undefined
    const { data } = mayGrow.safeParse(value)
    return data === undefined ? value : { ...data, enum: [...data['x-extensible-enum'], another] }
  }
  return JSON.stringify(JSON.parse(document, reviver))
}

const conditions = z.array(z.object({ if: z.unknown() }))
const mayGrow = z.looseObject({ 'x-extensible-enum': z.array(z.string()) })

/** Read by its text, since a file in a temporary folder is none of the linter's project. */
async function formatted(file: string): Promise<string> {
  const running = run('biome', ['format', '--stdin-file-path=infra/client/src/generated.ts'], {
    cwd: join(client, '../..'),
    maxBuffer: 10_000_000,
  })
  running.child.stdin?.end(await readFile(file, 'utf8'))
  return (await running).stdout
}

const parameter = z.object({ in: z.string(), name: z.string() })
const example = z.looseObject({ value: z.unknown().optional() })
const media = z.looseObject({
  schema: z.looseObject({ type: z.unknown().optional() }),
  examples: z.record(z.string(), example).optional(),
})
const operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(parameter).default([]),
  responses: z.record(
    z.string(),
    z.looseObject({ content: z.looseObject({ 'application/json': media.optional() }).optional() }),
  ),
})
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ examples: z.record(z.string(), example) }),
})

const withCode = z.looseObject({ code: z.string() })

/**
 * The source of the client's generated table: the requirements of each operation that its types do not show, and the codes of every error
 * in the document.
 * @param json the OpenAPI document
 */
function operationTable(json: unknown): string {
  const document = documentSchema.parse(json)
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ path, method: method.toUpperCase(), ...one })),
  )
  const codes = new Set(Object.values(document.components.examples).flatMap(({ value }) => codeOf(value)))
  return [
    '// Written by `npm run client` from the OpenAPI document.',
    "import type { OperationId, OperationRow } from './operation.ts'",
    '/** What a request of each operation needs beside its types. */',
    `export const operationTable: Readonly<Record<OperationId, OperationRow>> = {${rows.map((row) => `${row.operationId}: ${JSON.stringify(rowOf(row))},`).join('')}}`,
    '/** The codes of the errors that the document shows. */',
    `export const errorCodes = ${JSON.stringify([...codes].sort())} as const`,
    '',
  ].join('\n')
}

interface Row extends z.infer<typeof operation> {
  readonly path: string
  readonly method: string
}

function rowOf({ path, method, security, parameters, responses }: Row) {
  const takesKey = parameters.some((one) => one.in === 'header' && one.name === 'Idempotency-Key')
  // A refusal whose body is the result itself: the lines of a checkout.
  const refusesWithList = Object.entries(responses).some(
    ([status, { content }]) => Number(status) >= 400 && content?.['application/json']?.schema.type === 'array',
  )
  return {
    method,
    path,
    ...(security.some((one) => 'accessToken' in one) && { isProtected: true }),
    // By contract, everything under billing is safe to repeat. Elsewhere reads are, and requests with an Idempotency-Key.
    ...((method === 'GET' || takesKey || path.startsWith('/api/billing/')) && { isRepeatable: true }),
    ...(takesKey && { takesKey }),
    ...(refusesWithList && { refusesWithList }),
  }
}

function codeOf(value: unknown): string[] {
  const read = withCode.safeParse(value)
  return read.success ? [read.data.code] : []
}
