import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000'
const domain = { name: 'api.example.com', certificateArn }
const backupVaultArn = 'arn:aws:backup:us-east-1:444455556666:backup-vault:copies'
const settings = { alarmEmail: 'duty@example.com', region: 'us-east-1', domain, backupVaultArn }
const { data, observability } = synthesizeStage(stageWith(settings, 'prod'))
const without = synthesizeStage()

const alarm = z.looseObject({
  AlarmName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: reference })).optional(),
})
const alarms = observability.resources('AWS::CloudWatch::Alarm', alarm).map(({ Properties }) => Properties)
const named = (id: string) => alarms.find(({ AlarmName }) => AlarmName === `prod-console-${id}`)

describe('The canary', () => {
  const canary = z.looseObject({ Name: z.string(), Code: z.object({ Handler: z.string(), Script: z.string() }) })
  const [found] = observability.resources('AWS::Synthetics::Canary', canary)

  it('calls the API by its name, every ten minutes, in stages that want it', () => {
    expect(found?.Properties).toMatchObject({
      Name: 'prod-console',
      Schedule: { Expression: 'rate(10 minutes)' },
      RunConfig: { EnvironmentVariables: { API_URL: 'https://api.example.com' } },
    })
    expect(without.observability.resources('AWS::Synthetics::Canary', canary)).toEqual([])
  })

  it.each([
    ['succeeds', { '/.well-known/openid-configuration': 200, '/api/users/me': 401 }, undefined],
    ['fails', { '/.well-known/openid-configuration': 503, '/api/users/me': 401 }, 'openid-configuration answered 503'],
    ['fails', { '/.well-known/openid-configuration': 200, '/api/users/me': 200 }, '/api/users/me answered 200'],
  ])('%s where the API answers %j', async (_, answers, message) => {
    const statuses: Readonly<Record<string, number>> = answers
    const run = z.object({ handler: z.custom<() => Promise<void>>((value) => typeof value === 'function') })
    const exports = {}
    const fetch = async (url: string) => new Response('', { status: statuses[new URL(url).pathname] ?? 404 })
    const process = { env: { API_URL: 'https://api.example.com' } }
    runInNewContext(found?.Properties.Code.Script ?? '', { exports, fetch, process, AbortSignal })
    const outcome = run.parse(exports).handler()
    await (message ? expect(outcome).rejects.toThrow(message) : expect(outcome).resolves.toBeUndefined())
  })

  it('is missed where it fails twice or does not run', () => {
    expect(named('NotReached')).toMatchObject({
      MetricName: 'SuccessPercent',
      Threshold: 100,
      ComparisonOperator: 'LessThanThreshold',
      EvaluationPeriods: 2,
      TreatMissingData: 'breaching',
    })
  })
})

describe('Alarms of what is around the service', () => {
  it('watch the certificate of the name', () => {
    expect(named('CertificateEnds')).toMatchObject({
      Namespace: 'AWS/CertificateManager',
      MetricName: 'DaysToExpiry',
      Dimensions: [{ Name: 'CertificateArn', Value: certificateArn }],
      Threshold: 30,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'notBreaching',
    })
  })

  describe('Given a console with a name of its own', () => {
    const consoleArn = certificateArn.replace('00000000', '11111111')
    const inRegion = (region: string) => certificateArn.replace('us-east-1', region)
    const settingsOf = (region: string, arn: string) => ({
      ...settings,
      region,
      domain: { ...domain, certificateArn: inRegion(region) },
      console: {
        clientId: 'console',
        stripePublishableKey: 'pk_live_x',
        domain: { name: 'console.example.com', certificateArn: arn },
      },
    })
    const watchedIn = (region: string, arn = consoleArn) =>
      synthesizeStage(stageWith(settingsOf(region, arn), 'prod'))
        .observability.resources('AWS::CloudWatch::Alarm', alarm)
        .flatMap(({ Properties: { AlarmName, Dimensions = [] } }) =>
          Dimensions.flatMap(({ Name, Value }) => (Name === 'CertificateArn' ? [[AlarmName, Value]] : [])),
        )
    const ofApi = (region: string) => ['prod-console-CertificateEnds', inRegion(region)]

    it('watch its certificate, too, in us-east-1, where ACM counts its days', () => {
      expect(watchedIn('us-east-1')).toEqual([ofApi('us-east-1'), ['prod-console-ConsoleCertificateEnds', consoleArn]])
    })

    it('cannot watch it from another region, and watch a certificate for both names once', () => {
      expect(watchedIn('eu-central-1')).toEqual([ofApi('eu-central-1')])
      expect(watchedIn('us-east-1', certificateArn)).toEqual([ofApi('us-east-1')])
    })
  })

  it('watch the room that reservations leave, at 80 %', () => {
    const { reservedConcurrency, concurrencyQuota } = stageWith(settings, 'prod')
    const left = Object.values(reservedConcurrency).reduce((rest, one) => rest - one, concurrencyQuota)
    expect(named('ConcurrencyNearQuota')).toMatchObject({
      MetricName: 'UnreservedConcurrentExecutions',
      Threshold: Math.floor(left * 0.8),
    })
  })

  it('watch mails that SES takes and rejects', () => {
    expect(named('MailRejected')).toMatchObject({ Namespace: 'AWS/SES', MetricName: 'Reject', Threshold: 1 })
  })
})

describe('The budget', () => {
  it('mails the alarms’ address at 80 % of it, and where the forecast is above it', () => {
    const [budget] = observability.resources('AWS::Budgets::Budget', z.looseObject({}))
    const to = [{ SubscriptionType: 'EMAIL', Address: 'duty@example.com' }]
    expect(budget?.Properties).toMatchObject({
      Budget: { BudgetLimit: { Amount: 500, Unit: 'USD' }, TimeUnit: 'MONTHLY' },
      NotificationsWithSubscribers: [
        { Notification: { NotificationType: 'ACTUAL', Threshold: 80 }, Subscribers: to },
        { Notification: { NotificationType: 'FORECASTED', Threshold: 100 }, Subscribers: to },
      ],
    })
    expect(without.observability.resources('AWS::Budgets::Budget', z.looseObject({}))).toEqual([])
  })
})

describe('The dashboard', () => {
  it('shows forged webhooks and limited callers', () => {
    const [dashboard] = observability.resources('AWS::CloudWatch::Dashboard', z.object({ DashboardBody: reference }))
    for (const metric of ['WebhooksForged', 'RateLimited']) {
      expect(dashboard?.Properties.DashboardBody).toContain(`"${metric}"`)
    }
  })
})

describe('Backups in another account', () => {
  it('are copied daily of every table, for 35 days, where a stage names a vault', () => {
    const rule = z.looseObject({ CopyActions: z.array(z.looseObject({})) })
    const plan = z.object({ BackupPlan: z.object({ BackupPlanRule: z.array(rule) }) })
    const [found] = data.resources('AWS::Backup::BackupPlan', plan)
    expect(found?.Properties.BackupPlan.BackupPlanRule).toMatchObject([
      {
        ScheduleExpression: 'cron(0 3 * * ? *)',
        CopyActions: [{ DestinationBackupVaultArn: backupVaultArn, Lifecycle: { DeleteAfterDays: 35 } }],
      },
    ])
    const selection = z.object({ BackupSelection: z.object({ Resources: z.array(z.unknown()) }) })
    const [tables] = data.resources('AWS::Backup::BackupSelection', selection)
    expect(tables?.Properties.BackupSelection.Resources).toHaveLength(4)
    expect(without.data.resources('AWS::Backup::BackupPlan', plan)).toEqual([])
  })

  it('are kept when the stack goes, and not where their creation failed: a vault’s name exists once', () => {
    const kept = z.looseObject({ Type: z.string(), DeletionPolicy: z.string().optional() })
    const made = Object.values(z.record(z.string(), kept).parse(data.json.Resources))
    const vaults = made.filter(({ Type }) => Type === 'AWS::Backup::BackupVault')
    expect(vaults.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['RetainExceptOnCreate'])
  })

  it('have alarms on a backup or a copy that fails, by each vault that may count it, red for a day', () => {
    const metric = z.looseObject({ MetricStat: z.looseObject({ Metric: z.unknown() }).optional() })
    const metrics = z.object({ Metrics: z.array(metric) })
    const of = (MetricName: string, vault: string) => ({
      Namespace: 'AWS/Backup',
      MetricName,
      Dimensions: [
        { Name: 'BackupVaultName', Value: vault },
        { Name: 'ResourceType', Value: 'DynamoDB' },
      ],
    })
    expect(named('BackupsFail')).toMatchObject(of('NumberOfBackupJobsFailed', 'prod-console'))
    const copies = metrics.parse(named('BackupCopiesFail')).Metrics.flatMap(({ MetricStat }) => MetricStat ?? [])
    const vaults = ['prod-console', 'copies']
    expect(copies.map(({ Metric }) => Metric)).toEqual(vaults.map((vault) => of('NumberOfCopyJobsFailed', vault)))
    for (const id of ['BackupsFail', 'BackupCopiesFail']) {
      expect(named(id)).toMatchObject({ Threshold: 1, DatapointsToAlarm: 1, EvaluationPeriods: 24 })
    }
    const others = without.observability.resources('AWS::CloudWatch::Alarm', alarm)
    expect(others.filter(({ Properties }) => Properties.AlarmName.includes('Backup'))).toEqual([])
  })

  it('are made by AWS Backup for this account only', () => {
    const role = z.object({ AssumeRolePolicyDocument: z.object({ Statement: z.array(z.looseObject({})) }) })
    const [found] = data.resources('AWS::IAM::Role', role)
    expect(found?.Properties.AssumeRolePolicyDocument.Statement).toMatchObject([
      { Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } } },
    ])
  })
})
