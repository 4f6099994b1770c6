import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stageNamed } from '../../data/stages.ts'
import { stackNames } from '../stacks/stackNames.ts'
import { awsCommand } from './awsCommand.ts'
import { publishConsole } from './publishConsole.ts'

// The last step of `npm run deploy`. To run it alone: `npm run build:console && npm run console:publish -- --stage prod`.
const { values } = parseArgs({ options: { stage: { type: 'string' } } })
const stage = stageNamed(values.stage)
const { consoleWeb } = stackNames(stage)
if (consoleWeb === undefined) throw new Error(`${stage.name} does not host the console: infra/data/stages.ts`)

const aws = awsCommand(stage.region)
publishConsole(consoleWeb, join(import.meta.dirname, '..', '..', 'console', 'dist'), (...args) => {
  const stdout = aws(...args)
  process.stdout.write(args[0] === 's3' ? stdout : '')
  return stdout
})
