import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { stageWith, synthesizeStage } from './synthesized.ts'

const installed = spawnSync('cfn-lint', ['--version']).status === 0
const title = installed
  ? 'finds nothing in production, under a name of its own, or behind the firewall'
  : 'is skipped: cfn-lint is not on the PATH'

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000'
const domain = { name: 'api.example.com', certificateArn }
const ownName = stageWith({ domain, alarmEmail: 'duty@example.com' })
const firewall = stageWith({ waf: true, region: 'us-east-1', domain }, 'prod')

describe('cfn-lint', () => {
  const test = installed ? it : it.skip

  test(title, () => {
    const directory = mkdtempSync(join(tmpdir(), 'templates-'))
    try {
      const { stacks } = synthesizeStage(stageWith({}, 'prod'))
      // The other stacks of a stage have neither a name nor a firewall.
      const fronts = [ownName, firewall].flatMap((stage) =>
        synthesizeStage(stage).stacks.filter(([name]) => name === 'api' || name === 'apiStage'),
      )
      const files = [...stacks, ...fronts].map(([, { written }], index) => {
        const file = join(directory, `${index}.template.json`)
        writeFileSync(file, JSON.stringify(written))
        return file
      })
      // W3005: the CDK writes a DependsOn that a reference makes redundant.
      const { stdout, status } = spawnSync('cfn-lint', ['-i', 'W3005', '--', ...files], { encoding: 'utf8' })
      expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
