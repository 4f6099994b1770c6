import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { fullStage } from '../../../../infra/aws/moto/fullStage.ts'
import { stageWith, synthesizeStage } from '../stacks/synthesized.ts'

const installed = spawnSync('cfn-lint', ['--version']).status === 0
const title = installed
  ? 'finds nothing in production, with everything that a stage may have, under a name of its own, or in the roles of the workflow'
  : 'is skipped: cfn-lint is not on the PATH'

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000'
const domain = { name: 'api.example.com', certificateArn }
const ownName = stageWith({ region: 'us-east-1', domain, alarmEmail: 'duty@example.com' })
const roles = join(import.meta.dirname, '..', '..', '..', '..', 'infra', 'aws', 'deploy', 'githubRoles.json')

describe('cfn-lint', () => {
  const test = installed ? it : it.skip

  test(title, () => {
    const directory = mkdtempSync(join(tmpdir(), 'templates-'))
    try {
      const whole = [stageWith({}, 'prod'), fullStage].flatMap((stage) => synthesizeStage(stage).stacks)
      // The other stacks of a stage have no name.
      const fronts = synthesizeStage(ownName).stacks.filter(([name]) => name === 'api' || name === 'apiStage')
      const files = [...whole, ...fronts].map(([, { written }], index) => {
        const file = join(directory, `${index}.template.json`)
        writeFileSync(file, JSON.stringify(written))
        return file
      })
      // W3005: the CDK writes a DependsOn that a reference makes redundant.
      const { stdout, status } = spawnSync('cfn-lint', ['-i', 'W3005', '--', roles, ...files], { encoding: 'utf8' })
      expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
