import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { stages } from '../../../infra/data/stages.ts'

const root = new URL('../../../', import.meta.url)
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

/** The jobs of a workflow by name, in their order. */
const jobsOf = (text: string) => {
  const [, jobs = ''] = text.split(/^jobs:\n/m)
  const parts = jobs.split(/^ {2}([a-z]+):\n/m).slice(1)
  return new Map(parts.flatMap((name, at) => (at % 2 === 0 ? [[name, parts[at + 1] ?? ''] as const] : [])))
}

describe('The workflows', () => {
  it('are CI, what is deeper, the deployment and the review of new packages', () => {
    expect(files.sort()).toEqual(['ci.yml', 'dependency-review.yml', 'deploy.yml', 'nightly.yml'])
  })

  // [asvs 15.1.2]
  it('of CI run the README’s two commands, the second by its parts and in shards, list what it is made of, and check each commit', () => {
    expect([...jobsOf(workflow('ci.yml'))].map(([name, body]) => [name, valuesOf(body, 'run')])).toEqual([
      ['static', ['npm ci', 'npm run types', 'npm run lint', 'npm run --silent sbom > sbom.cdx.json']],
      ['test', ['npm ci', 'npm test -- --shard "$SHARD"']],
      ['oldest', ['npm ci', 'npm test -- test/infra/local/start.test.ts']],
      ['commits', ['npm ci', 'npm run check:commits']],
    ])
    expect(valuesOf(workflow('ci.yml'), 'shard')).toEqual(['[1/3, 2/3, 3/3]'])
    expect(scripts.check).toBe('npm run types && npm run lint && npm test')
    expect(read('README.md')).toMatch(/^npm ci$/m)
    expect(read('README.md')).toMatch(/^npm run check /m)
    expect(read('.ci/run')).toMatch(/^npm ci\b/m)
    expect(read('.ci/run')).toMatch(/^npm run check\b/m)
  })

  it('of the night run everything deep, with a seed that can be given', () => {
    const text = workflow('nightly.yml')
    expect(valuesOf(text, 'run').slice(0, 4)).toEqual([
      'npm ci',
      'node_modules/.bin/node infra/aws/moto/cfnLintProgram.ts >> "$GITHUB_PATH"',
      'pg_config --bindir >> "$GITHUB_PATH"',
      'npm run check:deep -- --seed "$SEED"',
    ])
    expect(valuesOf(text, 'SEED')).toEqual([`$\{{ inputs.seed || github.run_number }}`])
    expect(valuesOf(text, 'cron')).toHaveLength(1)
  })

  it('of the deployment deploy one of the stages, by hand, after CI', () => {
    const text = workflow('deploy.yml')
    expect(valuesOf(text, 'options')).toEqual([`[${Object.keys(stages).join(', ')}]`])
    expect(valuesOf(text, 'uses')).toContain('./.github/workflows/ci.yml')
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

describe('The deployment', () => {
  const stageInput = `$\{{ inputs.stage }}`
  const text = workflow('deploy.yml')
  const jobs = jobsOf(text)
  const job = (name: string) => jobs.get(name) ?? ''

  it('is of main, checked, built, planned and then deployed, each only where the one before succeeded', () => {
    expect([...jobs].map(([name, body]) => [name, valuesOf(body, 'needs')])).toEqual([
      ['guard', []],
      ['check', ['guard']],
      ['build', ['check']],
      ['plan', ['build']],
      ['deploy', ['plan']],
    ])
    expect(valuesOf(job('guard'), 'run')).toEqual(['test "$GITHUB_REF" = refs/heads/main'])
    expect(text).not.toMatch(/always\(\)\n +(needs|uses)|continue-on-error/)
  })

  it('runs no code of a package’s installation, and no build, where it may ask AWS for a role', () => {
    const trusted = [...jobs].filter(([, body]) => body.includes('id-token')).map(([name]) => name)
    expect(trusted).toEqual(['plan', 'deploy'])
    const commands = trusted.flatMap((name) => valuesOf(job(name), 'run'))
    expect(commands.filter((command) => /npm (ci|i|install|exec|rebuild)|npx|synth|build/.test(command))).toEqual([])
    expect(valuesOf(job('build'), 'run').slice(0, 3)).toEqual([
      'npm ci',
      'npm run synth -- --stage "$STAGE"',
      'npm run build:console',
    ])
  })

  it('prints what will change before the stage’s environment asks for its approval, and then asks no more', () => {
    expect(valuesOf(job('plan'), 'environment')).toEqual([`${stageInput}-plan`])
    expect(valuesOf(job('plan'), 'run')).toContain(
      'npm run --silent deploy -- --stage "$STAGE" --prepared --plan 2>&1 | tee plan.txt',
    )
    // Only with it the first command's failure is the step's.
    expect(job('plan')).toMatch(/tee plan\.txt\n {8}shell: bash$/m)
    expect(job('plan')).toContain('$GITHUB_STEP_SUMMARY')
    expect(valuesOf(job('deploy'), 'environment')).toEqual([stageInput])
    expect(valuesOf(job('deploy'), 'run').at(-1)).toBe('npm run deploy -- --stage "$STAGE" --prepared --approved')
  })

  it('has nothing else deployed to the stage between its plan and its end', () => {
    expect(text).toMatch(/^concurrency:\n {2}group: deploy-\$\{\{ inputs\.stage \}\}\n {2}cancel-in-progress: false$/m)
  })

  it('may take as long as its credentials are good, which the role allows', () => {
    const seconds = Number(valuesOf(job('deploy'), 'role-duration-seconds'))
    expect(Number(valuesOf(job('deploy'), 'timeout-minutes')) * 60).toBeLessThanOrEqual(seconds)
    const role = z.object({ Properties: z.object({ MaxSessionDuration: z.number() }) })
    const roles = z
      .object({ Resources: z.object({ DeployRole: role }) })
      .parse(JSON.parse(read('infra/aws/deploy/githubRoles.json')))
    expect(roles.Resources.DeployRole.Properties.MaxSessionDuration).toBe(seconds)
  })
})
