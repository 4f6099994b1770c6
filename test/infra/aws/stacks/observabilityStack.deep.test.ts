import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { serviceMetrics, sumOf } from '../../../../infra/aws/alarms/metrics.ts'
import { anchorOf } from '../../../../infra/aws/alarms/runbook.ts'
import { manifest } from '../../../../infra/manifest.ts'
import { type TableDescription, tables } from '../../../../lib/adapters/dynamodb/tables.ts'
import type { LogMessage } from '../../../../lib/log/logMessage.ts'
import { logMessages } from '../../../../lib/log/logMessages.ts'
import { metrics } from '../../../../lib/log/metrics.ts'
import { synthesizeObservedStage } from '../alarms/observedStage.ts'
import { fullStage } from './synthesized.ts'
import { reference } from './templates.ts'

const { service, observability } = synthesizeObservedStage()

const dimensions = z.array(z.object({ Name: z.string(), Value: reference }))
const metricStat = z.object({
  Metric: z.object({ Namespace: z.string(), MetricName: z.string(), Dimensions: dimensions.optional() }),
})
const alarm = z.object({
  AlarmName: z.string().optional(),
  AlarmDescription: z.string(),
  AlarmActions: z.array(reference).optional(),
  OKActions: z.array(reference).optional(),
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions: dimensions.optional(),
  Metrics: z.array(z.object({ MetricStat: metricStat.optional(), Expression: z.string().optional() })).optional(),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number().optional(),
  Period: z.number().optional(),
  Threshold: z.number(),
  ComparisonOperator: z.string(),
  TreatMissingData: z.string(),
})

const alarms = observability.resources('AWS::CloudWatch::Alarm', alarm).map(({ Properties }) => Properties)
const ofReleases = service.resources('AWS::CloudWatch::Alarm', alarm).map(({ Properties }) => Properties)
const named = (id: string) => alarms.find(({ AlarmName }) => AlarmName === `prod-console-${id}`)
/** Without the stage, and without the number of a group. */
const nameOf = (name = '') => name.replace('prod-console-', '').replace(/\d+$/, '')

const runbook = readFileSync(new URL('../../../../infra/runbook/alarms.md', import.meta.url), 'utf8')
const headings = [...runbook.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)

describe('The alarms', () => {
  const anchors = [...alarms, ...ofReleases].map(
    ({ AlarmDescription }) => /infra\/runbook\/alarms\.md#([\p{L}\p{N}-]+)$/u.exec(AlarmDescription)?.[1],
  )

  it('each end with a link to what to do', () => {
    expect(anchors).not.toContain(undefined)
  })

  it('are the headings of the page “Alarms”, both ways', () => {
    expect([...new Set(anchors)].toSorted()).toEqual(headings.map(anchorOf).toSorted())
  })

  it('each say under their heading what to do', () => {
    const sections = runbook.split(/^## .+$/m).slice(1)
    expect(sections.filter((text) => text.trim().length < 80)).toEqual([])
  })

  it('notify a topic when they go off, and the same when it is over', () => {
    const topics = observability.resources('AWS::SNS::Topic', z.looseObject({})).map(({ id }) => id)
    const sent = alarms.map(({ AlarmActions }) => AlarmActions?.join()).filter((topic) => topic !== undefined)
    expect(new Set(sent)).toEqual(new Set(topics))
    expect(alarms.map(({ OKActions }) => OKActions)).toEqual(alarms.map(({ AlarmActions }) => AlarmActions))
  })

  it.each([
    ['PendingTooLong', 'ConsoleBackend', 'PendingAge', 3600],
    ['WebhooksNotRecorded', 'ConsoleBackend', 'WebhooksNotRecorded', 1],
    ['WebhookFaults', 'AWS/Lambda', 'Url5xxCount', 1],
    ['LambdaThrottlesWebhook', 'AWS/Lambda', 'Throttles', 1],
    ['OrphanedSubscriptions', 'ConsoleBackend', 'OrphanedSubscriptions', 1],
    ['SubscriptionsReported', 'ConsoleBackend', 'SubscriptionsReported', 1],
    ['ApiFaults', 'AWS/ApiGateway', '5xx', 5],
    ['ApiFaultsRepeat', 'AWS/ApiGateway', '5xx', 1],
    ['KmsFailures', 'ConsoleBackend', 'KmsFailures', 1],
    ['DriftLeft', 'ConsoleBackend', 'DriftLeft', 1],
    ['DeadLetters', 'AWS/SQS', 'ApproximateNumberOfMessagesVisible', 1],
    ['StripeKeyRefused', 'ConsoleBackend', 'StripeKeyRefused', 1],
    ['MailsNotSent', 'ConsoleBackend', 'MailsNotSent', 1],
    ['MailBounces', 'AWS/SES', 'Reputation.BounceRate', 0.04],
    ['MailComplaints', 'AWS/SES', 'Reputation.ComplaintRate', 0.0008],
    ['SweepNotRunning', 'AWS/Lambda', 'Invocations', 1],
    ['ReconcileNotRunning', 'AWS/Lambda', 'Invocations', 1],
    ['DeletionsNotRunning', 'AWS/Lambda', 'Invocations', 1],
    ['DomainsNotChecked', 'AWS/Lambda', 'Invocations', 1],
    ['RemovalsNotRunning', 'AWS/Lambda', 'Invocations', 1],
    ['MoneyMailsNotRunning', 'AWS/Lambda', 'Invocations', 1],
    ['ReconciliationAge', 'ConsoleBackend', 'ReconciliationAge', 93_600],
  ])('%s watches %s %s', (id, Namespace, MetricName, Threshold) => {
    expect(named(id)).toMatchObject({ Namespace, MetricName, Threshold })
  })

  it.each([
    ['BillingFaults', 1, 3],
    ['WebhooksNotRecorded', 2, 36],
    ['WebhookFaults', 2, 36],
    ['LambdaThrottlesWebhook', 2, 36],
    ['MailsNotSent', 2, 36],
    ['EventsNotRelayed', 2, 36],
    ['ApiFaultsRepeat', 3, 12],
    ['TableThrottles1', 3, 5],
    ['TableThrottles2', 3, 5],
    ['LambdaThrottles1', 3, 5],
  ])('%s goes off after %d of %d periods, whatever is between them', (id, DatapointsToAlarm, EvaluationPeriods) => {
    expect(named(id)).toMatchObject({ DatapointsToAlarm, EvaluationPeriods, TreatMissingData: 'notBreaching' })
  })

  it.each([
    ['UnknownOutcomes', 5],
    ['TableThrottles1', 1],
    ['TableThrottles2', 1],
    ...alarms.flatMap(
      ({ AlarmName = '' }) => /LambdaThrottles\d+$/.exec(AlarmName)?.map((id) => [id, 1] as const) ?? [],
    ),
  ])('%s, which adds metrics, goes off at %d', (id, Threshold) => {
    expect(named(id)).toMatchObject({ Threshold })
  })

  it('go off after a single period, except these', () => {
    const longer = alarms.filter(({ EvaluationPeriods }) => EvaluationPeriods > 1)
    const byName = longer.map(({ AlarmName, EvaluationPeriods }) => [nameOf(AlarmName), EvaluationPeriods])
    expect(Object.fromEntries(byName)).toEqual({
      NotReached: 2,
      SweepNotRunning: 2,
      RemovalsNotRunning: 2,
      MoneyMailsNotRunning: 2,
      RelayNotRunning: 2,
      DeliveriesNotRunning: 2,
      RelayLate: 3,
      DeliveriesLate: 3,
      EventsNotRelayed: 36,
      ConcurrencyNearQuota: 5,
      TableThrottles: 5,
      LambdaThrottles: 5,
      ApiFaultsRepeat: 12,
      AnswersSlow: 6,
      BackupsFail: 24,
      BackupCopiesFail: 24,
      BillingFaults: 3,
      EdgeFails: 6,
      EdgeRefuses: 6,
      EventsLate: 6,
      EveryClientRefused: 6,
      EveryLineRefused: 3,
      EveryTokenRefused: 6,
      FirewallBlocks: 6,
      NoEvents: 8,
      SignInSlow: 6,
      StageThrottled: 6,
      StripeNotAnswering: 3,
      DeletionsNotRunning: 26,
      DomainsNotChecked: 26,
      WebhooksNotRecorded: 36,
      WebhookFaults: 36,
      LambdaThrottlesWebhook: 36,
      MailsNotSent: 36,
    })
  })

  it('go off at their threshold or above, except these, which go off below', () => {
    const others = alarms.filter(({ ComparisonOperator }) => ComparisonOperator !== 'GreaterThanOrEqualToThreshold')
    expect(others.map(({ AlarmName }) => nameOf(AlarmName)).toSorted()).toEqual([
      'CertificateEnds',
      'DeletionsNotRunning',
      'DeliveriesNotRunning',
      'DomainsNotChecked',
      'MoneyMailsNotRunning',
      'NotReached',
      'ReconcileNotRunning',
      'RelayNotRunning',
      'RemovalsNotRunning',
      'SweepNotRunning',
    ])
    expect(new Set(others.map(({ ComparisonOperator }) => ComparisonOperator))).toEqual(new Set(['LessThanThreshold']))
  })

  it('look back no longer than CloudWatch lets them', () => {
    const day = 24 * 3600
    // A week by the hour or more, a day by less (CloudWatch's API reference, PutMetricAlarm: Period).
    const tooLong = alarms.filter(
      ({ Period = 3600, EvaluationPeriods }) => Period * EvaluationPeriods > (Period < 3600 ? day : 7 * day),
    )
    expect(tooLong.map(({ AlarmName }) => AlarmName)).toEqual([])
  })

  it('miss the deletions after more than a day without a run, for they run once a day', () => {
    expect(named('DeletionsNotRunning')).toMatchObject({ Period: 3600, EvaluationPeriods: 26 })
  })

  it('go off at the first fault of a billing call in a quiet time, and not at one in a thousand', () => {
    const { Metrics, Threshold } = named('BillingFaults') ?? {}
    expect(Threshold).toBe(1)
    const expression = Metrics?.flatMap(({ Expression }) => Expression ?? []).join() ?? ''
    const evaluated = (faults: number, calls: number) =>
      runInNewContext(expression, {
        faults,
        calls,
        IF: (condition: boolean, yes: number, no: number) => (condition ? yes : no),
      })
    expect([evaluated(0, 0), evaluated(1, 1), evaluated(1, 100), evaluated(1, 1000)]).toEqual([0, 1, 1, 0])
  })

  it('read logs of which those with callers’ addresses are kept for 90 days, however long the others are', () => {
    const logGroup = z.object({ LogGroupName: z.string().optional(), RetentionInDays: z.number() })
    const groups = service.resources('AWS::Logs::LogGroup', logGroup).map(({ Properties }) => Properties)
    const shorter = groups.filter(({ RetentionInDays }) => RetentionInDays !== fullStage.logRetentionDays)
    expect(fullStage.logRetentionDays).toBe(365)
    expect(shorter.map(({ LogGroupName, RetentionInDays }) => [LogGroupName, RetentionInDays]).toSorted()).toEqual([
      ['/aws/vendedlogs/prod-console-api', 90],
      ['aws-waf-logs-prod-console', 90],
    ])
  })

  it('count calls in the access log, which has the fields that they are counted by', () => {
    const filter = z.object({ FilterPattern: z.string(), MetricTransformations: z.tuple([z.looseObject({})]) })
    const [stageOfApi] = service.resources(
      'AWS::ApiGatewayV2::Stage',
      z.object({ AccessLogSettings: z.object({ Format: z.string() }) }),
    )
    const filters = service.resources('AWS::Logs::MetricFilter', filter).map(({ Properties }) => Properties)
    expect(filters.map(({ MetricTransformations: [to], FilterPattern }) => [to.MetricName, FilterPattern])).toEqual([
      ['BillingCalls', '{ $.routeKey = "POST /api/billing/*" }'],
      ['BillingFaults', '{ $.routeKey = "POST /api/billing/*" && $.status = "5*" }'],
      ['TokenCalls', '{ $.routeKey = "POST /api/oauth/token" }'],
      ['TokenRefusals', '{ $.routeKey = "POST /api/oauth/token" && $.status = "4*" }'],
      ['Unauthorized', '{ $.routeKey != "POST /api/oauth/token" && $.status = "401" }'],
      ['Throttled', '{ $.status = "429" && $.integrationStatus = "-" }'],
    ])
    const format = JSON.parse(stageOfApi?.Properties.AccessLogSettings.Format ?? '')
    expect(format).toMatchObject({
      routeKey: '$context.routeKey',
      status: '$context.status',
      integrationStatus: '$context.integrationStatus',
    })
  })

  it('take them from a namespace of the stage’s own: another stage of the account would be added to them', () => {
    const to = z.object({ MetricName: z.string(), MetricNamespace: z.string() })
    const filter = z.object({ MetricTransformations: z.array(to) })
    const counted = service.resources('AWS::Logs::MetricFilter', filter)
    const written = counted.flatMap(({ Properties }) => Properties.MetricTransformations)
    const watched = named('BillingFaults')?.Metrics?.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])
    const own = ['BillingCalls', 'BillingFaults'].map((metric) => ['ConsoleBackend/AccessLog/prod', metric])
    expect(new Set(written.map(({ MetricNamespace }) => MetricNamespace))).toEqual(new Set([own[0]?.[0]]))
    expect(watched?.map(({ Namespace, MetricName }) => [Namespace, MetricName])).toEqual(own)
    const [dashboard] = observability.resources('AWS::CloudWatch::Dashboard', z.object({ DashboardBody: reference }))
    for (const [namespace, metric] of own)
      expect(dashboard?.Properties.DashboardBody).toContain(`["${namespace}","${metric}"`)
  })

  it.each([
    ['UnknownOutcomes', ['LinesBought', 'PurchasesUnknown']],
    ['BillingFaults', ['BillingCalls', 'BillingFaults']],
    ['LambdaThrottles1', ['Throttles']],
    ['TableThrottles1', ['ReadThrottleEvents', 'WriteThrottleEvents']],
  ])('%s watches %j together', (id, metrics) => {
    const found = named(id)?.Metrics?.flatMap(({ MetricStat }) => MetricStat?.Metric.MetricName ?? [])
    expect([...new Set(found)].toSorted()).toEqual(metrics)
  })

  it('TableThrottles1 and 2 watch each index of each table by its own name: a table’s metric leaves them out', () => {
    const described: readonly TableDescription[] = Object.values(tables)
    const watched = ['TableThrottles1', 'TableThrottles2']
      .flatMap((id) => named(id)?.Metrics ?? [])
      .flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions ?? [])
    const indexes = watched.flatMap(({ Name, Value }) => (Name === 'GlobalSecondaryIndexName' ? [Value] : []))
    expect([...new Set(indexes)]).toEqual(described.flatMap((table) => table.indexes ?? []).map(({ name }) => name))
  })

  it('watch the service’s own metrics by the dimensions that they have, of the stage', () => {
    const own = alarms.filter(({ Namespace }) => Namespace === 'ConsoleBackend')
    const service = [
      { Name: 'service', Value: 'console-backend' },
      { Name: 'stage', Value: 'prod' },
    ]
    expect(own.map(({ Dimensions }) => Dimensions)).toEqual(own.map(() => service))
  })

  it('watch nothing of the service’s own that it does not emit, without a further dimension', () => {
    const own = alarms
      .filter(({ Namespace }) => Namespace === 'ConsoleBackend')
      .flatMap(({ MetricName = [] }) => MetricName)
    const messages: readonly LogMessage[] = Object.values(logMessages)
    const counted = messages.flatMap(({ counts }) => counts)
    const plain = counted
      .filter(({ dimension, metric }) => dimension === undefined || 'total' in metrics[metric])
      .map(({ metric }) => String(metric))
    expect(own.length).toBeGreaterThan(5)
    expect(plain).toEqual(expect.arrayContaining(own))
  })

  it('go off where nothing is reported for the schedules and the canary, and for nothing else', () => {
    const silent = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching').toReversed()
    expect(silent.map(({ AlarmName, Dimensions }) => [AlarmName, Dimensions?.[0]?.Value])).toEqual([
      ['prod-console-NotReached', expect.stringMatching(/^Canary/)],
      ['prod-console-DeliveriesNotRunning', 'prod-events-deliver'],
      ['prod-console-RelayNotRunning', 'prod-events-relay'],
      ['prod-console-MoneyMailsNotRunning', 'prod-billing-mails'],
      ['prod-console-RemovalsNotRunning', 'prod-factor-resets-run'],
      ['prod-console-DomainsNotChecked', 'prod-domains-check'],
      ['prod-console-DeletionsNotRunning', 'prod-deletions-erase'],
      ['prod-console-ReconcileNotRunning', 'prod-billing-reconcile'],
      ['prod-console-SweepNotRunning', 'prod-billing-sweep'],
    ])
    expect(new Set(silent.map(({ ComparisonOperator }) => ComparisonOperator))).toEqual(new Set(['LessThanThreshold']))
    const watched = silent.flatMap(({ Dimensions }) => Dimensions?.[0]?.Value ?? [])
    const scheduled = manifest.flatMap(({ name, trigger }) => (trigger.kind === 'schedule' ? [`prod-${name}`] : []))
    expect(scheduled.filter((name) => !watched.includes(name))).toEqual([])
  })

  it('watch every function whose callers wait for an answer, for refused calls', () => {
    const groups = alarms.filter(({ AlarmName }) => AlarmName?.startsWith('prod-console-LambdaThrottles'))
    const watched = groups.flatMap(({ AlarmDescription }) => AlarmDescription.match(/prod-[a-z-]+/g) ?? [])
    const waitedFor = manifest.filter(({ trigger }) => trigger.kind !== 'schedule').map(({ name }) => `prod-${name}`)
    expect(watched.toSorted()).toEqual(waitedFor.toSorted())
  })

  it('cannot be made of more metrics than CloudWatch takes', () => {
    const eleven = Array.from({ length: 11 }, () => serviceMetrics('prod')('LinesBought'))
    expect(() => sumOf('Too many', eleven)).toThrow('10 metrics, not 11')
  })
})

describe('The topics', () => {
  it('are encrypted by a key that CloudWatch may use', () => {
    const topics = observability.resources(
      'AWS::SNS::Topic',
      z.object({ KmsMasterKeyId: reference, TopicName: z.string() }),
    )
    const [key] = observability.resources('AWS::KMS::Key', z.looseObject({}))
    const KmsMasterKeyId = `${key?.id}.Arn`
    expect(topics.map(({ Properties }) => Properties)).toEqual([
      { KmsMasterKeyId, TopicName: 'prod-console-alarms' },
      { KmsMasterKeyId, TopicName: 'prod-console-tickets' },
    ])
    expect(key?.Properties).toMatchObject({ EnableKeyRotation: true })
    expect(JSON.stringify(key?.Properties)).toContain('"Principal":{"Service":"cloudwatch.amazonaws.com"}')
  })

  it('are for the alarms of this account, key and topics alike: CloudWatch acts for every account', () => {
    const statement = z.looseObject({ Principal: z.unknown(), Condition: z.unknown().optional() })
    const policy = z.object({ Statement: z.array(statement) })
    const [key] = observability.resources('AWS::KMS::Key', z.object({ KeyPolicy: policy }))
    const topics = observability.resources('AWS::SNS::TopicPolicy', z.object({ PolicyDocument: policy }))
    const policies = topics.map(({ Properties }) => Properties.PolicyDocument)
    const statements = [key?.Properties.KeyPolicy, ...policies].flatMap((one) => one?.Statement ?? [])
    const ofCloudWatch = statements.filter(({ Principal }) => JSON.stringify(Principal).includes('cloudwatch'))
    const fromHere = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } }
    expect(ofCloudWatch.map(({ Condition }) => Condition)).toEqual([fromHere, fromHere, fromHere])
    expect(
      observability.resources('AWS::KMS::Alias', z.looseObject({})).map(({ Properties }) => Properties.AliasName),
    ).toEqual(['alias/prod-console-alarms'])
  })

  it('are mailed to the stage’s addresses', () => {
    const subscriptions = observability.resources('AWS::SNS::Subscription', z.looseObject({}))
    expect(subscriptions.map(({ Properties }) => Properties)).toMatchObject([
      { Protocol: 'email', Endpoint: 'duty@example.com' },
      { Protocol: 'email', Endpoint: 'desk@example.com' },
    ])
  })
})

describe('The dashboard', () => {
  it('shows every function', () => {
    const [dashboard] = observability.resources('AWS::CloudWatch::Dashboard', z.object({ DashboardBody: reference }))
    const body = dashboard?.Properties.DashboardBody ?? ''
    expect(manifest.filter(({ name }) => !body.includes(`"FunctionName","prod-${name}"`))).toEqual([])
  })

  it('shows every metric that an alarm watches', () => {
    const [dashboard] = observability.resources('AWS::CloudWatch::Dashboard', z.object({ DashboardBody: reference }))
    const watched = alarms.flatMap(({ MetricName, Metrics = [] }) => [
      ...(MetricName ? [MetricName] : []),
      ...Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.MetricName ?? []),
    ])
    const body = dashboard?.Properties.DashboardBody ?? ''
    expect([...new Set(watched)].filter((metric) => !body.includes(`"${metric}"`))).toEqual([])
  })
})
