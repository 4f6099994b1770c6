import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { operationTable } from './operationTable.ts'

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
  // Its own TypeScript: the service's is newer than it can use.
  await run(join(client, 'node_modules/.bin/openapi-typescript'), [documentFile, '--output', schema, ...options])
  const document: unknown = JSON.parse(await readFile(documentFile, 'utf8'))
  await writeFile(operations, operationTable(document))
  for (const file of [schema, operations]) await writeFile(file, await formatted(file))
}

/** Read by its text, since a file in a temporary folder is none of the linter's project. */
async function formatted(file: string): Promise<string> {
  const running = run('biome', ['format', '--stdin-file-path=infra/client/src/generated.ts'], {
    cwd: join(client, '../..'),
    maxBuffer: 10_000_000,
  })
  running.child.stdin?.end(await readFile(file, 'utf8'))
  return (await running).stdout
}
