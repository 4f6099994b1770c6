import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = new URL('../../../', import.meta.url)

describe('The deployment', () => {
  it('carries every package that its commands use', () => {
    const [packed = ''] = /tar -czf .+/.exec(readFileSync(new URL('.github/workflows/deploy.yml', root), 'utf8')) ?? []
    const elsewhere = mkdtempSync(join(tmpdir(), 'deployment-'))
    try {
      for (const folder of [
        'infra/aws',
        'infra/data',
        'infra/manifest',
        'infra/manifest.ts',
        'lib/adapters/dynamodb/tables.ts',
        'lib/core',
        'package.json',
      ]) {
        cpSync(new URL(folder, root), join(elsewhere, folder), { recursive: true })
      }
      for (const [path] of packed.matchAll(/node_modules\/\S+/g)) {
        cpSync(new URL(path, root), join(elsewhere, path), { recursive: true })
      }
      const run = (script: string, ...args: string[]) =>
        spawnSync(process.execPath, [script, ...args], { cwd: elsewhere, encoding: 'utf8' })
      const planned = run('infra/aws/deploy/deploy.ts', '--stage', 'prod', '--prepared', '--approved', '--dry-run')
      expect(planned).toMatchObject({ status: 0, stderr: '' })
      const scripts = new Set([...planned.stdout.matchAll(/^\$ node (\S+)/gm)].map(([, path = '']) => path))
      const cdk = 'node_modules/aws-cdk/bin/cdk'
      expect(scripts.delete(cdk)).toBe(true)
      expect(run(cdk, '--version').stdout).toMatch(/^\d+\.\d+\.\d+/)
      // Past its imports each refuses the stage.
      for (const script of [...scripts, 'infra/aws/deploy/consolePublish.ts']) {
        expect([script, run(script, '--stage', 'none').stderr]).toEqual([
          script,
          expect.stringContaining('there are dev'),
        ])
      }
    } finally {
      rmSync(elsewhere, { recursive: true })
    }
  })
})
