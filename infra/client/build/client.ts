import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPackage } from './buildPackage.ts'
import { generate } from './generate.ts'

// `npm run client` writes the client's types from the OpenAPI document, builds the package, and packs it.
const folder = fileURLToPath(new URL('../', import.meta.url))
await generate(`${folder}src`)
process.stdout.write(`${relative(process.cwd(), await buildPackage(folder))}\n`)
