import { describe, expect, it } from '@jest/globals'
import { type App, Validations } from 'aws-cdk-lib/core'
import * as z from 'zod'
import { rulePacks } from '../../../../infra/aws/stacks/synthesizeStage.ts'
import { buildStage } from './assembled.ts'
import { stageCombinations } from './stageCombinations.ts'
import { findingsIn, stageWith, synthesizeStage } from './synthesized.ts'

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000'
const domain = { name: 'api.example.com', certificateArn }
const hosted = { clientId: 'console', stripePublishableKey: 'pk_test_x' }
const mail = { domain: 'console.example.com', from: 'no-reply@console.example.com', sandbox: true }
const backupVaultArn = 'arn:aws:backup:us-east-1:444455556666:backup-vault:console'
const alarmEmail = 'duty@example.com'

const variants: [string, App][] = [
  ['dev', buildStage(stageWith({}, 'dev')).app],
  [
    'staging under its own name, with mail in SES’s sandbox and copies of backups in another account',
    buildStage(stageWith({ region: 'us-east-1', domain, mail, backupVaultArn }, 'staging')).app,
  ],
  ['prod', buildStage(stageWith({}, 'prod')).app],
  [
    'prod behind the firewall, with the console under its own name',
    buildStage(
      stageWith({ waf: true, region: 'us-east-1', domain, alarmEmail, console: { ...hosted, domain } }, 'prod'),
    ).app,
  ],
  [
    'dev behind the firewall, with the console',
    buildStage(stageWith({ waf: true, region: 'us-east-1', alarmEmail, console: hosted, mail }, 'dev')).app,
  ],
]

/** Every excuse in an app: the rule and the reason. */
function excuses(app: App): [string, string][] {
  return app.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.entries(z.record(z.string(), z.string()).parse(data)))
    .map(([id, reason]) => [id.replace(/^annotation::/i, ''), reason])
}

describe.each(variants)('The rule packs (AwsSolutions, Serverless, NIST 800-53 r5), given %s', (_, app) => {
  it('are excused with a reason each time', () => {
    expect(excuses(app).length).toBeGreaterThan(20)
    expect(excuses(app).filter(([, reason]) => reason.length < 20)).toEqual([])
  })
})

describe('The rule packs', () => {
  it('let production go into maintenance, as a restore needs', () => {
    expect(findingsIn(stageWith({ maintenance: true }, 'prod'))).toEqual([])
  })
})

describe('The excuses', () => {
  it('are for rules that find something where they are left out', () => {
    const [, app] = variants[variants.length - 1] ?? []
    if (app === undefined) throw new Error('There is no variant')
    const excused = new Set(excuses(app).map(([id]) => id))
    // Excuses are kept as metadata, that CDK has no way to take back: the packs are configured to skip them.
    const found = rulePacks(app).flatMap((pack) => {
      Object.assign(pack, { isAcknowledged: () => false })
      return pack.validateScope(app).violations.map(({ ruleName }) => ruleName)
    })
    expect([...excused].filter((id) => !found.includes(id))).toEqual([])
  })
})

describe('Every combination of what a stage offers', () => {
  it('passes the rule packs, whichever three settings meet', () => {
    const stages = stageCombinations(3)
    expect(stages.length).toBeGreaterThan(80)
    // The message of a failure has one stage for each finding.
    const found = new Map(stages.flatMap((stage) => findingsIn(stage).map((finding) => [finding, stage])))
    expect(Object.fromEntries(found)).toEqual({})
  })

  it('is written, whichever two settings meet', () => {
    for (const stage of stageCombinations(2)) {
      expect(synthesizeStage(stage).stacks).toHaveLength(stage.console ? 12 : 11)
    }
  })
})
