import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { stages } from '../../infra/data/stages.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))
const files = readdirSync(new URL('.github/workflows/', root))
const workflows = files.map((file) => ({ file, text: read(`.github/workflows/${file}`) }))

const workflow = (file: string) => read(`.github/workflows/${file}`)
/** What follows `key:` on its lines, comments left out. */
const valuesOf = (text: string, key: string) =>
  [...text.matchAll(new RegExp(`^[ -]*${key}:[ ]*([^#\\n]*?)[ ]*(?:#.*)?$`, 'gm'))].map(([, value = '']) => value)
/** The lines of the permissions of a workflow and of its jobs. */
const permissionsOf = (text: string) =>
  [...text.matchAll(/^( *)permissions:(?: \{\}|(?:\n\1 {2}[a-z-]+: [a-z]+)+)/gm)].map(([block]) =>
    block
      .split('\n')
      .slice(1)
      .map((line) => line.trim()),
  )

describe('The workflows', () => {
  it('are CI, the deployment and the review of new packages', () => {
    expect(files.sort()).toEqual(['ci.yml', 'dependency-review.yml', 'deploy.yml'])
  })

  // [asvs 15.1.2]
  it('of CI run the README’s two commands, then list what it is made of', () => {
    expect(valuesOf(workflow('ci.yml'), 'run')).toEqual([
      'npm ci',
      'npm run check',
      'npm run --silent sbom > sbom.cdx.json',
    ])
    expect(read('README.md')).toMatch(/^npm ci$/m)
    expect(read('README.md')).toMatch(/^npm run check /m)
    expect(read('.ci/run')).toMatch(/^npm ci\b/m)
    expect(read('.ci/run')).toMatch(/^npm run check\b/m)
  })

  it('of the deployment deploy one of the stages, by hand, after CI', () => {
    const text = workflow('deploy.yml')
    expect(valuesOf(text, 'run')).toEqual(['npm ci', 'npm run deploy -- --stage "$STAGE"'])
    expect(valuesOf(text, 'options')).toEqual([`[${Object.keys(stages).join(', ')}]`])
    expect(valuesOf(text, 'uses')).toContain('./.github/workflows/ci.yml')
    expect(valuesOf(text, 'needs')).toEqual(['check'])
    expect(text).toMatch(/^ {4}environment: \$\{\{ inputs\.stage \}\}$/m)
    expect(text).toMatch(/^on:\n {2}workflow_dispatch:\n {4}inputs:/m)
  })

  it.each(workflows)('$file runs scripts that there are', ({ text }) => {
    const named = valuesOf(text, 'run').flatMap((command) => /^npm run (?:--silent )?([\w:]+)/.exec(command)?.[1] ?? [])
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  it.each(workflows)('$file may read the code, and only the deployment may ask AWS for a role', ({ file, text }) => {
    const blocks = permissionsOf(text)
    expect(blocks).toHaveLength(valuesOf(text, 'permissions').length)
    expect(blocks.flat().every((line) => ['contents: read', 'id-token: write'].includes(line))).toBe(true)
    expect(blocks[0]).toEqual(file === 'deploy.yml' ? [] : ['contents: read'])
    expect(blocks.flat().includes('id-token: write')).toBe(file === 'deploy.yml')
  })

  it.each(workflows)('$file knows no secret, and puts nothing that a caller wrote into a command', ({ text }) => {
    expect(text).not.toMatch(/secrets\b|aws-access-key|pull_request_target/)
    expect(valuesOf(text, 'run').filter((command) => command.includes('${{'))).toEqual([])
  })

  it.each(workflows)('$file takes actions by their commit, and leaves no credentials behind', ({ text }) => {
    const uses = valuesOf(text, 'uses').filter((name) => !name.startsWith('./'))
    expect(uses.filter((name) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(name))).toEqual([])
    expect(text.match(/uses: .+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/gm)).toHaveLength(uses.length)
    const checkouts = uses.filter((name) => name.startsWith('actions/checkout@'))
    expect(valuesOf(text, 'persist-credentials')).toEqual(checkouts.map(() => 'false'))
  })
})
