import { parseArgs } from 'node:util'
import { stageNamed } from '../../data/stages.ts'
import { awsCommand } from './awsCommand.ts'
import { pruneVersions } from './pruneVersions.ts'

// The last step of `npm run deploy`. What is deployed is in service already, so a failure is said and does not fail the deployment.
const { values } = parseArgs({ options: { stage: { type: 'string' } } })
const stage = stageNamed(values.stage)

try {
  const deleted = pruneVersions(stage, awsCommand(stage.region))
  process.stdout.write(`${deleted.length} old versions of functions were deleted.\n`)
} catch (error) {
  const why = error instanceof Error ? error.message : 'no reason given'
  process.stdout.write(`To do: old versions of functions were not deleted: ${why}\n`)
}
