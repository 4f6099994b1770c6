import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stageNamed } from '../data/stages.ts'
import { publishConsole } from './publishConsole.ts'
import { stackNames } from './stackNames.ts'

// The last step of `npm run deploy`; by itself `npm run build:console && npm run console:publish -- --stage prod`. By AWS's own command
// line, which operators have, with their credentials.
const { values } = parseArgs({ options: { stage: { type: 'string' } } })
const stage = stageNamed(values.stage)
const { consoleWeb } = stackNames(stage)
if (consoleWeb === undefined) throw new Error(`${stage.name} does not host the console: infra/data/stages.ts`)

publishConsole(consoleWeb, join(import.meta.dirname, '../console/dist'), (...args) => {
  const region = stage.region === undefined ? [] : ['--region', stage.region]
  const { status, stdout, error } = spawnSync('aws', [...args, ...region], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (error) throw error
  if (status !== 0) throw new Error(`aws ${args.slice(0, 2).join(' ')} ended with ${status}`)
  process.stdout.write(args[0] === 's3' ? stdout : '')
  return stdout
})
