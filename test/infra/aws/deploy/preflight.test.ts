import { describe, expect, it } from '@jest/globals'
import type { RunAws } from '../../../../infra/aws/deploy/awsCommand.ts'
import { missingSecret } from '../../../../infra/aws/deploy/missingSecret.ts'
import { preflightChecks } from '../../../../infra/aws/deploy/preflightChecks.ts'
import { stageWith } from '../stacks/synthesized.ts'

const mail = { domain: 'example.dev', from: 'no-reply@example.dev' }
const stage = stageWith({ alarmEmail: 'duty@example.dev', mail, region: 'eu-central-1' }, 'prod')
const reserved = Object.values(stage.reservedConcurrency).reduce((sum, each) => sum + each, 0)

/** As AWS's command line ends where there is no such thing. */
const missing = (code: string) => new Error(`aws x ended with 254: An error occurred (${code}) when calling it`)
const outputs = (values: Record<string, string>) =>
  Object.entries(values).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }))

type Answers = Record<string, unknown>

/** An account where nothing is left to do for the stage, which is deployed. */
const ready: Answers = {
  'sts get-caller-identity': { Account: '111122223333' },
  'lambda get-account-settings': { AccountLimit: { ConcurrentExecutions: stage.concurrencyQuota } },
  'ssm get-parameter': { Parameter: { Value: '28' } },
  'sesv2 get-account': { ProductionAccessEnabled: true, SendingEnabled: true },
  'sesv2 get-email-identity': { VerifiedForSendingStatus: true },
  'prod-console-data': outputs({ stripeSecretKeyArn: 'key', stripeWebhookSecretsArn: 'webhook' }),
  'prod-console-observability': outputs({ AlarmTopic: 'topic' }),
  key: { VersionIdsToStages: { a: ['AWSCURRENT'] } },
  webhook: { VersionIdsToStages: { a: ['AWSCURRENT'] } },
  'sns list-subscriptions-by-topic': { Subscriptions: [{ SubscriptionArn: 'arn:aws:sns:x' }] },
}
const notThere = missing('ValidationError): Stack with id x does not exist')
/** The same account before the first deployment. */
const untouched: Answers = {
  ...ready,
  'prod-console-data': notThere,
  'prod-console-observability': notThere,
  'sesv2 get-email-identity': missing('NotFoundException'),
}

function awsOf(answers: Answers): RunAws {
  return (...args) => {
    const named = args.find((arg) => Object.hasOwn(answers, arg)) ?? args.slice(0, 2).join(' ')
    const answer = answers[named]
    if (answer === undefined) throw new Error(`no answer to ${args.join(' ')}`)
    if (answer instanceof Error) throw answer
    return JSON.stringify(answer)
  }
}
const found = (answers: Answers, of = stage) =>
  preflightChecks(of, awsOf(answers)).map(({ blocks, says }) => `${blocks ? 'required' : 'to do'}: ${says}`)

describe('The preflight of a deployment', () => {
  it('finds nothing in an account that has everything, before the first deployment and after it', () => {
    expect(found(untouched)).toEqual([])
    expect(found(ready)).toEqual([])
  })

  it.each<[string, Answers, string]>([
    [
      'too few concurrent executions, as new accounts have',
      { 'lambda get-account-settings': { AccountLimit: { ConcurrentExecutions: 10 } } },
      `needs ${reserved + 100} (${reserved} reserved, 100 that Lambda keeps for the rest): aws service-quotas request-`,
    ],
    [
      'no bootstrap',
      { 'ssm get-parameter': missing('ParameterNotFound') },
      'not bootstrapped: npx cdk bootstrap aws://111122223333/eu-central-1',
    ],
    [
      'a bootstrap that is too old',
      { 'ssm get-parameter': { Parameter: { Value: '6' } } },
      'bootstrapped with version 6',
    ],
    [
      'the domain of mails as an identity of something else',
      { 'sesv2 get-email-identity': { VerifiedForSendingStatus: true } },
      'SES knows example.dev already',
    ],
  ])('requires a remedy for %s', (_, answers, says) => {
    const findings = found({ ...untouched, ...answers })
    expect(findings).toEqual([expect.stringContaining(says)])
    expect(findings[0]).toMatch(/^required: /)
  })

  it.each<[string, Answers, string]>([
    ['SES’s sandbox', { 'sesv2 get-account': { ProductionAccessEnabled: false, SendingEnabled: true } }, 'sandbox'],
    ['paused sending', { 'sesv2 get-account': { ProductionAccessEnabled: true, SendingEnabled: false } }, 'paused'],
    ['a domain not found in DNS', { 'sesv2 get-email-identity': { VerifiedForSendingStatus: false } }, 'MailDns1'],
    ['Stripe’s key without a value', { key: {} }, 'put-secret-value --secret-id key'],
    ['the webhook’s secret without a value', { webhook: {} }, 'put-secret-value --secret-id webhook'],
    [
      'an alarm address that did not confirm',
      { 'sns list-subscriptions-by-topic': { Subscriptions: [{ SubscriptionArn: 'PendingConfirmation' }] } },
      'duty@example.dev',
    ],
  ])('names %s, and lets the deployment go on', (_, answers, says) => {
    expect(found({ ...ready, ...answers })).toEqual([expect.stringContaining(says)])
    expect(found({ ...ready, ...answers })[0]).toMatch(/^to do: /)
  })

  it.each([
    ['a lower', reserved + 100, 'goes off too late or never'],
    ['a higher', 5000, 'goes off too early'],
  ])('names %s quota than the one that an alarm is set by, and takes the account’s own', (_, limit, says) => {
    const answers = { ...ready, 'lambda get-account-settings': { AccountLimit: { ConcurrentExecutions: limit } } }
    const [finding, ...others] = found(answers)
    expect(finding).toMatch(new RegExp(`^to do: .*ConcurrencyNearQuota ${says}: set concurrencyQuota to ${limit} `))
    expect(others).toEqual([])
    expect(found(answers, stageWith({ ...stage, concurrencyQuota: limit }))).toEqual([])
  })

  it('accepts the sandbox where the stage is set for it, and says when it is over', () => {
    const inSandbox = stageWith({ ...stage, mail: { ...mail, sandbox: true } })
    const sandbox = { 'sesv2 get-account': { ProductionAccessEnabled: false, SendingEnabled: true } }
    expect(found({ ...ready, ...sandbox }, inSandbox)).toEqual([])
    expect(found(ready, inSandbox)).toEqual([expect.stringContaining('remove sandbox')])
  })

  it('looks no further with the credentials of another account', () => {
    const placed = stageWith({ ...stage, account: '999999999999' })
    expect(found({ 'sts get-caller-identity': { Account: '111122223333' } }, placed)).toEqual([
      'required: The credentials are of account 111122223333, and prod is in 999999999999: use its own',
    ])
  })

  it('takes a refusal for no absence', () => {
    const refused = { 'prod-console-data': missing('AccessDenied) not authorized') }
    expect(() => found({ ...ready, ...refused })).toThrow('AccessDenied')
  })
})

describe('Opening a stage after a restore', () => {
  const table = 'prod-billing-restored'
  const restored = stageWith({ ...stage, restoredTables: { billing: table } })
  const pass = (name: string, adoptOnly: boolean, phase: string) => ({
    'dynamodb get-item': { table: { S: name }, adoptOnly: { BOOL: adoptOnly }, phase: { S: phase } },
  })

  it.each([
    ['there is no record of a pass', { 'dynamodb get-item': null }],
    ['the last pass is of the table that was backed up', pass('prod-billing', false, 'complete')],
    ['the adopting pass is not complete', pass(table, true, 'slots')],
  ])('is refused where %s: what was bought since the backup would be sold again', (_, answers) => {
    expect(found({ ...ready, ...answers }, restored)).toEqual([expect.stringMatching(/^required: .*--adopt-only/)])
    // In maintenance nothing is sold.
    expect(found({ ...ready, ...answers }, { ...restored, maintenance: true })).toEqual([])
  })

  it.each([
    ['the adopting pass is complete', pass(table, true, 'complete')],
    ['ordinary passes have followed', pass(table, false, 'slots')],
  ])('is allowed once %s', (_, answers) => {
    expect(found({ ...ready, ...answers }, restored)).toEqual([])
  })
})

describe('A first deployment', () => {
  it('stops after the data stack until Stripe’s key is stored, so that no schedule runs without it', () => {
    const answers = { ...ready, key: { VersionIdsToStages: { a: ['AWSPENDING'] } }, webhook: {} }
    expect(missingSecret(stage, awsOf(answers))).toMatch(/put-secret-value --secret-id key .*\n.*deploy again/)
  })

  it('goes on without the webhook’s secret, which Stripe makes for the URL of the next stacks', () => {
    expect(missingSecret(stage, awsOf({ ...ready, webhook: {} }))).toBeUndefined()
  })
})

describe('An account whose endpoints the bundles do not know', () => {
  it('is refused before anything is deployed, as that of the European Sovereign Cloud', () => {
    const Arn = 'arn:aws-eusc:iam::111122223333:user/ada'
    const answers = { ...ready, 'sts get-caller-identity': { Account: '111122223333', Arn } }
    expect(found(answers)).toEqual([expect.stringMatching(/^required: The account is in aws-eusc/)])
    const known = {
      ...ready,
      'sts get-caller-identity': { Account: '111122223333', Arn: Arn.replace('aws-eusc', 'aws') },
    }
    expect(found(known)).toEqual([])
  })
})
