import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildPackage } from './buildPackage.ts'
import { generate } from './generate.ts'

// `npm run client` writes the client's types from the OpenAPI document, builds the package, and packs it; with `-- --types`, only the types.
const { values } = parseArgs({ options: { types: { type: 'boolean', default: false } } })
const folder = fileURLToPath(new URL('../', import.meta.url))
await generate(`${folder}src`)
if (!values.types) process.stdout.write(`${relative(process.cwd(), await buildPackage(folder))}\n`)
