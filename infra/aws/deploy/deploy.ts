import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { stageNamed } from '../../data/stages.ts'
import { deploymentCommands, nextSteps, planCommands, requireApproval, requireDeployable } from './deployment.ts'

const flag = { type: 'boolean', default: false } as const
const { values } = parseArgs({
  options: { stage: { type: 'string' }, 'dry-run': flag, plan: flag, approved: flag, prepared: flag },
})
const stage = stageNamed(values.stage)
const { 'dry-run': dryRun, plan, approved, prepared } = values

if (!dryRun) {
  requireDeployable(stage)
  requireApproval(plan || approved, process.stdin.isTTY)
}

for (const [program, ...args] of plan
  ? planCommands(stage, prepared)
  : deploymentCommands(stage, { approved, prepared })) {
  process.stdout.write(`$ ${[program, ...args].join(' ')}\n`)
  if (dryRun) continue
  const { status, error } = spawnSync(program, args, {
    cwd: join(import.meta.dirname, '..', '..', '..'),
    stdio: 'inherit',
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
const outcome = dryRun ? 'Nothing was deployed: without --dry-run these commands run.' : `${stage.name} is deployed.`
if (!plan) process.stdout.write(`\n${outcome} ${nextSteps(stage)}`)
