import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localClient } from '../local/localClient.ts'
import { startStack } from '../local/stack.ts'
import type { Check } from './clients/check.ts'
import { oapiCodegen } from './clients/goClient.ts'
import { redocly, spectral } from './clients/linters.ts'
import { openapiGeneratorCsharp, openapiGeneratorJava, openapiGeneratorKotlin } from './clients/openapiGenerator.ts'
import { preparePurchase } from './clients/preparePurchase.ts'
import { openapiPythonClient } from './clients/pythonClient.ts'
import { Unavailable } from './clients/run.ts'
import { schemathesis } from './clients/schemathesis.ts'
import { heyApi, openapiTypescript } from './clients/typescriptClients.ts'

// `npm run clients:check [-- NAME ...]` reads the document as its users do: it lints it, and generates clients, each of which buys a product
// of a local stack. A tool that cannot be had is said; exit 1 is for a mistake of the document or of the API.
const checks: readonly Check[] = [
  redocly,
  spectral,
  openapiTypescript,
  heyApi,
  oapiCodegen,
  openapiPythonClient,
  openapiGeneratorJava,
  openapiGeneratorKotlin,
  openapiGeneratorCsharp,
  schemathesis,
]
const wanted = process.argv.slice(2)
const chosen = checks.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))

const root = await mkdtemp(join(tmpdir(), 'clients-check-'))
const stack = await startStack({ quiet: true })
try {
  const client = localClient(stack.info)
  const answer = await fetch(`${stack.info.base_url}/api/openapi.json`)
  const documentFile = join(root, 'openapi.json')
  const document: unknown = await answer.json()
  await writeFile(documentFile, JSON.stringify(document))
  for (const { name, version, run } of chosen) {
    const directory = join(root, name.replaceAll('/', '-'))
    await mkdir(directory)
    const started = performance.now()
    const purchase = (into: string) => preparePurchase(client, into)
    const outcome = await run({ documentFile, document, directory, client, purchase }).catch((error: unknown) => error)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    process.stdout.write(`${name} ${version}: ${inWords(outcome)} (${seconds} s)\n`)
    if (outcome instanceof Error && !(outcome instanceof Unavailable)) process.exitCode = 1
  }
} finally {
  await stack.close()
  await rm(root, { recursive: true, force: true })
}

function inWords(outcome: unknown): string {
  if (outcome instanceof Unavailable) return `not checked: ${outcome.message}`
  return outcome instanceof Error ? `FAILED\n${outcome.message}` : String(outcome)
}
