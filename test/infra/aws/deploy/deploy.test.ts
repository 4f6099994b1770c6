import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  deploymentCommands,
  nextSteps,
  planCommands,
  requireApproval,
  requireDeployable,
} from '../../../../infra/aws/deploy/deployment.ts'
import { stackNames } from '../../../../infra/aws/stacks/stackNames.ts'
import { areas } from '../../../../infra/manifest.ts'
import { stageWith } from '../stacks/synthesized.ts'

const script = join(import.meta.dirname, '..', '..', '..', '..', 'infra', 'aws', 'deploy', 'deploy.ts')
const hosted = stageWith({ console: { clientId: 'console-app', stripePublishableKey: 'pk_test_x' } })
const deploy = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })

describe('npm run deploy', () => {
  describe('Given a stage and --dry-run', () => {
    it('prints the checks and each stack’s deployment: data, the API, functions, the stage of their routes, watchers', () => {
      const { status, stdout } = deploy('--stage', 'prod', '--dry-run')
      expect(status).toBe(0)
      const rest = '--app cdk.out --exclusively --require-approval broadening'
      const cdk = '$ node node_modules/aws-cdk/bin/cdk deploy'
      expect(stdout).toContain('\nNothing was deployed: ')
      expect(stdout).not.toContain('is deployed')
      expect(stdout.split('\n').filter((line) => line.startsWith('$ '))).toEqual([
        '$ node infra/aws/deploy/preflight.ts --stage prod',
        '$ node infra/aws/app.ts --stage prod',
        `${cdk} prod-console-data ${rest}`,
        '$ node infra/aws/deploy/requireSecrets.ts --stage prod',
        `${cdk} prod-console-api ${rest}`,
        ...Object.keys(areas).map((area) => `${cdk} prod-console-${area} ${rest}`),
        `${cdk} prod-console-api-stage ${rest}`,
        `${cdk} prod-console-observability ${rest}`,
        '$ node infra/aws/deploy/prune.ts --stage prod',
      ])
      expect(stdout).toContain('stripeWebhookSecretsArn of prod-console-data')
      expect(stdout).toContain('WebhookUrl of prod-console-billing>')
    })
  })

  describe('Given a stage that uses a restored table', () => {
    it('lets CloudFormation take the table over, in the data stack only', () => {
      const options = { approved: true, prepared: true }
      const importing = (stage: Parameters<typeof deploymentCommands>[0]) =>
        deploymentCommands(stage, options).filter((command) => command.includes('--import-existing-resources'))
      const [only, ...others] = importing(stageWith({ restoredTables: { billing: 'dev-billing-restored' } }))
      expect([only?.slice(2, 4), others]).toEqual([['deploy', 'dev-console-data'], []])
      expect([importing(stageWith()), importing(stageWith({ restoredTables: {} }))]).toEqual([[], []])
    })
  })

  describe('Given --plan', () => {
    it('compares every stack with what is deployed by the role that may only look, and deploys none', () => {
      const { status, stdout } = deploy('--stage', 'prod', '--plan', '--dry-run')
      expect(status).toBe(0)
      const [preflight, synth, diff, ...rest] = stdout.trim().split('\n')
      expect([synth, rest]).toEqual(['$ node infra/aws/app.ts --stage prod', []])
      expect(preflight).toBe('$ node infra/aws/deploy/preflight.ts --stage prod')
      const stacks = Object.values(stackNames(stageWith({}, 'prod'))).join(' ')
      const compared = `--app cdk.out --exclusively --method template --no-color`
      expect(diff).toBe(`$ node node_modules/aws-cdk/bin/cdk diff ${stacks} ${compared}`)
    })
  })

  describe('Given a plan that was approved, of templates that were prepared', () => {
    const commands = deploymentCommands(hosted, { approved: true, prepared: true })

    it('deploys these templates and files, and asks nothing where there is no terminal to answer on', () => {
      const deployed = Object.values(stackNames(hosted)).map((stack) => [
        ...['node', 'node_modules/aws-cdk/bin/cdk', 'deploy', stack, '--app', 'cdk.out', '--exclusively'],
        ...['--require-approval', 'never'],
      ])
      const [preflight, data, secrets, ...others] = commands
      expect(preflight).toContain('infra/aws/deploy/preflight.ts')
      expect(secrets).toContain('infra/aws/deploy/requireSecrets.ts')
      expect([data, ...others]).toEqual([
        ...deployed,
        ['node', 'infra/aws/deploy/consolePublish.ts', '--stage', 'dev'],
        ['node', 'infra/aws/deploy/prune.ts', '--stage', 'dev'],
      ])
      expect(planCommands(hosted, true).map(([, script]) => script)).toEqual([
        'infra/aws/deploy/preflight.ts',
        'node_modules/aws-cdk/bin/cdk',
      ])
    })
  })

  describe('Given no terminal, and no approval', () => {
    it('is refused: half of the stacks would be deployed before the CDK fails', () => {
      expect(() => requireApproval(false, false)).toThrow('--approved')
      expect(() => requireApproval(false, true)).not.toThrow()
      expect(() => requireApproval(true, false)).not.toThrow()
    })
  })

  describe('Given no stage, or one that there is not', () => {
    it.each([[[]], [['--stage', 'production']]])('refuses %j and names those that there are', (args) => {
      const { status, stdout, stderr } = deploy(...args, '--dry-run')
      expect(status).toBe(1)
      expect(stdout).toBe('')
      expect(stderr).toContain('there are dev, staging, prod')
    })
  })
})

describe('What can be deployed', () => {
  const leadingTo = (applicationUrl: string) => ({ ...stageWith().branding, applicationUrl })
  const mailFrom = (domain: string) =>
    stageWith({ mail: { domain, from: `no-reply@${domain}` }, branding: leadingTo('https://console.example.dev') })

  it.each(['console.example.com', 'example.org', 'mail.example'])('is no stage that sends mail from %s', (domain) => {
    expect(() => requireDeployable(mailFrom(domain))).toThrow(`dev sends mail from ${domain}`)
  })

  it.each(['example.dev', 'counterexample.com'])('is a stage that sends mail from %s', (domain) => {
    expect(() => requireDeployable(mailFrom(domain))).not.toThrow()
  })

  it('is no production whose alarms are sent to no one', () => {
    const prod = {
      ...stageWith({}, 'prod'),
      mail: mailFrom('example.dev').mail,
      branding: mailFrom('example.dev').branding,
    }
    expect(() => requireDeployable(prod)).toThrow('Alarms of prod notify no address')
    expect(() => requireDeployable({ ...prod, alarmEmail: 'duty@example.dev' })).not.toThrow()
  })

  it('is no stage that leads its users to a domain for examples', () => {
    const stage = { ...mailFrom('example.dev'), branding: leadingTo('https://console.example.com') }
    expect(() => requireDeployable(stage)).toThrow('dev leads its users to console.example.com')
  })
})

describe('A stage that hosts the console', () => {
  it('has its stack deployed last, and then its files built and published', () => {
    expect(
      deploymentCommands(hosted, { approved: false, prepared: false })
        .slice(-4, -1)
        .map(([program, ...args]) => [program, ...args.slice(0, 3)].slice(0, 4)),
    ).toEqual([
      ['node', 'node_modules/aws-cdk/bin/cdk', 'deploy', 'dev-console-web'],
      ['npm', 'run', 'build:console'],
      ['node', 'infra/aws/deploy/consolePublish.ts', '--stage', 'dev'],
    ])
  })

  it('is left to be registered as the client that its configuration names', () => {
    expect(nextSteps(hosted)).toContain('--id console-app --public --first-party')
    expect(nextSteps(stageWith())).not.toContain('Register the console')
  })
})

describe('What is left to do', () => {
  it('names the mailbox and the name in DNS where the stage has them', () => {
    const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/0'
    const domain = { name: 'api.example.com', certificateArn }
    const steps = nextSteps(stageWith({ alarmEmail: 'duty@example.com', region: 'eu-central-1', domain }))
    expect(steps).toContain('duty@example.com')
    expect(steps).toContain('from api.example.com to <DnsTarget of dev-console-api>')
    expect(nextSteps(stageWith())).not.toContain('DnsTarget')
  })
})
