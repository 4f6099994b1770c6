import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
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

const key = (name: string, KeyType: string) => ({ AttributeName: name, KeyType })
const ownKeys = [key('pk', 'HASH'), key('sk', 'RANGE')]
const pending = {
  IndexName: 'pending',
  IndexStatus: 'ACTIVE',
  KeySchema: [key('pendingKey', 'HASH'), key('nextSweepAt', 'RANGE')],
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['firstSent'] },
}
const customers = {
  IndexName: 'customers',
  IndexStatus: 'ACTIVE',
  KeySchema: [key('custDigest', 'HASH')],
  Projection: { ProjectionType: 'KEYS_ONLY' },
}
const recovery = (PointInTimeRecoveryStatus: string) => ({
  'dynamodb describe-continuous-backups': {
    ContinuousBackupsDescription: { PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus } },
  },
})
const described = (changes: object = {}) => ({
  'dynamodb describe-table': {
    Table: {
      KeySchema: ownKeys,
      DeletionProtectionEnabled: true,
      GlobalSecondaryIndexes: [customers, pending],
      ...changes,
    },
  },
})
/** A restored table that has all that its template says. */
const complete = { ...described(), ...recovery('ENABLED') }

describe('A restored table', () => {
  const table = 'prod-billing-restored'
  const maintained = stageWith({ ...stage, maintenance: true, restoredTables: { billing: table } })
  const withBilling = (changes: Answers) => found({ ...ready, ...complete, ...changes }, maintained)

  it('is taken where it has what its template says', () => {
    expect(withBilling({})).toEqual([])
  })

  it.each<[string, Answers, string]>([
    [
      'is not there: CloudFormation would create it, empty',
      { 'dynamodb describe-table': missing('ResourceNotFoundException') },
      'prod-billing-restored does not exist',
    ],
    ['has other keys', described({ KeySchema: [key('id', 'HASH')] }), 'has other keys'],
    [
      'lacks the index of pending purchases',
      described({ GlobalSecondaryIndexes: [customers] }),
      'lacks the index pending: aws dynamodb update-table --table-name prod-billing-restored ' +
        '--attribute-definitions AttributeName=pendingKey,AttributeType=S AttributeName=nextSweepAt,AttributeType=N ' +
        `--global-secondary-index-updates '${JSON.stringify([
          {
            Create: {
              IndexName: 'pending',
              KeySchema: pending.KeySchema,
              Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['firstSent'] },
            },
          },
        ])}'`,
    ],
    ['lacks the index of customers', described({ GlobalSecondaryIndexes: [pending] }), 'lacks the index customers'],
    [
      'has an index that shows other attributes',
      described({ GlobalSecondaryIndexes: [customers, { ...pending, Projection: { ProjectionType: 'ALL' } }] }),
      'The index pending of prod-billing-restored is not that of',
    ],
    [
      'has an index that is being made',
      described({ GlobalSecondaryIndexes: [{ ...customers, IndexStatus: 'CREATING' }, pending] }),
      'is CREATING: wait',
    ],
    ['may be deleted', described({ DeletionProtectionEnabled: false }), '--deletion-protection-enabled'],
    ['cannot be restored itself', recovery('DISABLED'), 'PointInTimeRecoveryEnabled=true'],
  ])('is refused where it %s', (_, changes, says) => {
    const findings = withBilling(changes)
    expect(findings).toEqual([expect.stringContaining(says)])
    expect(findings[0]).toMatch(/^required: /)
  })

  it('of accounts is refused where nothing in it expires, as AWS restores it', () => {
    const accounts = stageWith({ ...stage, restoredTables: { accounts: 'prod-accounts-restored' } })
    const expiring = (TimeToLiveStatus: string, AttributeName?: string) =>
      found(
        {
          ...ready,
          ...complete,
          ...described({ GlobalSecondaryIndexes: undefined }),
          'dynamodb describe-time-to-live': { TimeToLiveDescription: { TimeToLiveStatus, AttributeName } },
        },
        accounts,
      )
    expect(expiring('ENABLED', 'expiresAt')).toEqual([])
    expect(expiring('DISABLED')).toEqual([expect.stringContaining('Enabled=true,AttributeName=expiresAt')])
    expect(expiring('ENABLED', 'endsAt')).toHaveLength(1)
  })
})

describe('A restored table of events', () => {
  const events = stageWith({ ...stage, restoredTables: { events: 'prod-events-restored' } })
  const due = {
    IndexName: 'due',
    IndexStatus: 'ACTIVE',
    KeySchema: [key('dueKey', 'HASH'), key('dueAt', 'RANGE')],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['owner'] },
  }
  const withStream = (StreamSpecification?: object) =>
    found(
      {
        ...ready,
        ...complete,
        ...described({ GlobalSecondaryIndexes: [due], StreamSpecification }),
        'dynamodb describe-time-to-live': {
          TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: 'expiresAt' },
        },
      },
      events,
    )

  it('is taken with the stream of its template', () => {
    expect(withStream({ StreamEnabled: true, StreamViewType: 'NEW_IMAGE' })).toEqual([])
  })

  it.each([undefined, { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' }])(
    'is refused with another stream: %j',
    (stream) => {
      expect(withStream(stream)).toEqual([expect.stringContaining('StreamEnabled=true,StreamViewType=NEW_IMAGE')])
    },
  )
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
    const all = { ...ready, ...complete, ...answers }
    expect(found(all, restored)).toEqual([expect.stringMatching(/^required: .*--adopt-only/)])
    // In maintenance nothing is sold.
    expect(found(all, { ...restored, maintenance: true })).toEqual([])
  })

  it.each([
    ['the adopting pass is complete', pass(table, true, 'complete')],
    ['ordinary passes have followed', pass(table, false, 'slots')],
  ])('is allowed once %s', (_, answers) => {
    expect(found({ ...ready, ...complete, ...answers }, restored)).toEqual([])
  })
})

describe('Backups in another account', () => {
  const backupVaultArn = 'arn:aws:backup:eu-central-1:444455556666:backup-vault:copies'
  const backedUp = stageWith({ ...stage, backupVaultArn })
  const answeredBy = (optIn: object, management: object) => ({
    'backup describe-region-settings': {
      ResourceTypeOptInPreference: { Aurora: true, ...optIn },
      ResourceTypeManagementPreference: { EFS: true, ...management },
    },
  })
  const on = { DynamoDB: true }
  const off = { DynamoDB: false }

  it.each([
    ['off', off, on, ['--resource-type-opt-in-preference']],
    ['on, and the features that copies need are off', on, off, ['--resource-type-management-preference']],
    [
      'of a region that has set nothing',
      {},
      {},
      ['--resource-type-opt-in-preference', '--resource-type-management-preference'],
    ],
  ])('are refused where the opt-in is %s', (_, optIn, management, options) => {
    const command = `aws backup update-region-settings ${options.map((option) => `${option} DynamoDB=true`).join(' ')}`
    const findings = found({ ...ready, ...answeredBy(optIn, management) }, backedUp)
    expect(findings).toEqual([expect.stringMatching(/^required: AWS Backup would copy no table/)])
    expect(findings[0]?.endsWith(command)).toBe(true)
  })

  it('are made where both are on, and are the exception: a stage without them asks AWS Backup nothing', () => {
    expect(found({ ...ready, ...answeredBy(on, on) }, backedUp)).toEqual([])
    expect(found(ready)).toEqual([])
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

describe('What the preflight asks AWS', () => {
  it('is allowed to the roles of the workflow, and nothing else is', () => {
    const asked = new Set<string>()
    const everything = stageWith({
      ...stage,
      backupVaultArn: 'arn:aws:backup:eu-central-1:444455556666:backup-vault:copies',
      restoredTables: { billing: 'prod-billing-restored', accounts: 'prod-accounts-restored' },
    })
    const on = { DynamoDB: true }
    const answers = {
      ...ready,
      ...complete,
      'backup describe-region-settings': { ResourceTypeOptInPreference: on, ResourceTypeManagementPreference: on },
      'dynamodb describe-time-to-live': { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } },
      'dynamodb get-item': null,
    }
    const aws = awsOf(answers)
    preflightChecks(everything, (...args) => {
      const [service = '', command = ''] = args
      const action = command.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
      asked.add(`${service === 'sesv2' ? 'ses' : service}:${action}`)
      return aws(...args)
    })
    // Every principal may ask who it is.
    asked.delete('sts:GetCallerIdentity')
    const file = readFileSync(new URL('../../../../infra/aws/deploy/githubRoles.json', import.meta.url), 'utf8')
    const list = z.union([z.string().transform((one) => [one]), z.array(z.string())])
    const policy = z.object({ PolicyDocument: z.object({ Statement: z.array(z.object({ Action: list })) }) })
    const roles = z.object({ Resources: z.object({ Preflight: z.object({ Properties: policy }) }) })
    const { Statement } = roles.parse(JSON.parse(file)).Resources.Preflight.Properties.PolicyDocument
    expect(Statement.flatMap(({ Action }) => Action).toSorted()).toEqual([...asked].toSorted())
  })
})
