import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleConsole } from './bundleConsole.ts'

const dist = new URL('../dist/', import.meta.url)

/**
 * `npm run build:console [-- --base /console/]`: writes the console's files to `infra/console/dist`, for any host of static files.
 * Its configuration, `config.json`, is the host's to add: `infra/runbook/console.md`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } })
  if (!/^\/(.*\/)?$/.test(values.base)) throw new Error('--base begins and ends with a slash: /console/')
  const { files } = await bundleConsole(values.base)
  await rm(dist, { recursive: true, force: true })
  for (const { path, contents } of files) {
    const file = new URL(path, dist)
    await mkdir(dirname(file.pathname), { recursive: true })
    await writeFile(file, contents)
    console.log(`${path.padEnd(32)}${(contents.length / 1024).toFixed(1).padStart(8)} KB`)
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
