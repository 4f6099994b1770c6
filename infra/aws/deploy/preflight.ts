import { parseArgs } from 'node:util'
import { stageNamed } from '../../data/stages.ts'
import { awsCommand } from './awsCommand.ts'
import { preflightChecks } from './preflightChecks.ts'

// The first step of `npm run deploy` and of its plan: finds what the account lacks before anything changes.
const { values } = parseArgs({ options: { stage: { type: 'string' } } })
const stage = stageNamed(values.stage)

const findings = preflightChecks(stage, awsCommand(stage.region))
for (const { blocks, says } of findings) process.stdout.write(`${blocks ? 'Required' : 'To do'}: ${says}\n`)
if (findings.some(({ blocks }) => blocks)) process.exitCode = 1
