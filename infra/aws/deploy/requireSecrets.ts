import { parseArgs } from 'node:util'
import { stageNamed } from '../../data/stages.ts'
import { awsCommand } from './awsCommand.ts'
import { missingSecret } from './missingSecret.ts'

// A step of `npm run deploy` after the data stack, which has the secrets, and before the stacks whose functions read them.
const { values } = parseArgs({ options: { stage: { type: 'string' } } })
const stage = stageNamed(values.stage)

const missing = missingSecret(stage, awsCommand(stage.region))
if (missing !== undefined) {
  process.stdout.write(`${missing}\n`)
  process.exitCode = 1
}
