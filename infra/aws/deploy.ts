import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stageNamed } from '../data/stages.ts'
import { deploymentCommands, nextSteps, requireDeployable } from './deployment.ts'

const { values } = parseArgs({ options: { stage: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } } })
const stage = stageNamed(values.stage)

if (!values['dry-run']) requireDeployable(stage)

for (const [program, ...args] of deploymentCommands(stage)) {
  process.stdout.write(`$ ${[program, ...args].join(' ')}\n`)
  if (values['dry-run']) continue
  const { status, error } = spawnSync(program, args, { cwd: join(import.meta.dirname, '..', '..'), stdio: 'inherit' })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
process.stdout.write(`\n${nextSteps(stage)}`)
