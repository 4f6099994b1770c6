import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  ComparisonOperator,
  CompositeAlarm,
  type IAlarm,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import { type FunctionRow, manifest } from '../../manifest.ts'
import { AlarmTopics } from '../alarms/AlarmTopics.ts'
import type { AlarmRow, AlarmSources } from '../alarms/alarmRow.ts'
import { alarmRows } from '../alarms/alarms.ts'
import { Dashboard } from '../alarms/Dashboard.ts'
import { HttpCanary } from '../alarms/HttpCanary.ts'
import { LogQueries } from '../alarms/LogQueries.ts'
import { MonthlyBudget } from '../alarms/MonthlyBudget.ts'
import { describeAlarm } from '../alarms/runbook.ts'
import { surroundingAlarms } from '../alarms/surroundingAlarms.ts'
import { acknowledge } from '../constructs/acknowledge.ts'
import { functionName } from '../constructs/functionNames.ts'
import type { ApiStack } from './apiStack.ts'
import type { DataStack } from './dataStack.ts'

interface ObservabilityStackProps extends StackProps {
  readonly stage: StageSettings
  readonly data: DataStack
  readonly api: ApiStack
  readonly deadLetters: IQueue
}

/** A dashboard, and alarms that notify a topic. If you deploy, change or lose this stack, the service keeps running. */
export class ObservabilityStack extends Stack {
  private readonly topics: AlarmTopics

  constructor(scope: Construct, id: string, { stage, data, api, deadLetters, ...props }: ObservabilityStackProps) {
    super(scope, id, { description: 'Dashboard and alarms of the console', ...props })
    this.topics = new AlarmTopics(this, 'Alarms', stage)
    const canary = this.canary(stage, api)
    const sources = { ...alarmSources(stage, data), api: api.routes.api, deadLetters }
    const { mailConfigurationSet } = sources
    const { firewall } = api
    const surroundings = surroundingAlarms({ mailConfigurationSet, stage, canary, firewall })
    const rows = [...alarmRows(sources), ...surroundings]
    const alarms = rows.map((row) => ({ row, alarm: this.alarm(stage, row) }))
    this.notifyOfStripe(stage, alarms)
    new LogQueries(this, 'LogQueries', stage.name)
    new Dashboard(this, 'Dashboard', {
      stage,
      from: sources,
      alarms: alarms.map(({ alarm }) => alarm),
      surroundings: surroundings.map(({ metric }) => metric),
    })
    const { alarmEmail: email, monthlyBudgetUsd: dollars } = stage
    if (email && dollars) new MonthlyBudget(this, 'Budget', { name: `${stage.name}-console`, dollars, email })
    const { page, ticket } = this.topics
    new CfnOutput(this, 'AlarmTopic', { value: page.topicArn, description: 'Subscribe the people on duty' })
    new CfnOutput(this, 'TicketTopic', { value: ticket.topicArn, description: 'Subscribe what opens tickets' })
  }

  private canary(stage: StageSettings, { apiUrl }: ApiStack): Metric | undefined {
    const { canaryMinutes: minutes } = stage
    return minutes === undefined ? undefined : new HttpCanary(this, 'Canary', { stage, minutes, apiUrl }).success
  }

  private alarm(stage: StageSettings, row: AlarmRow): IAlarm {
    const { GREATER_THAN_OR_EQUAL_TO_THRESHOLD, LESS_THAN_THRESHOLD } = ComparisonOperator
    const isSilent = row.stopsInMaintenance === true && stage.maintenance
    const alarm = new Alarm(this, row.id, {
      alarmName: `${stage.name}-console-${row.id}`,
      alarmDescription: describeAlarm(row.says, row.heading),
      metric: row.metric,
      actionsEnabled: !isSilent,
      threshold: row.threshold ?? 1,
      evaluationPeriods: row.of ?? row.periods ?? 1,
      ...(row.of && { datapointsToAlarm: row.periods ?? 1 }),
      comparisonOperator: row.below ? LESS_THAN_THRESHOLD : GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: row.mustRun ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    })
    if (isSilent) {
      acknowledge(alarm, {
        'NIST.800.53.R5-CloudWatchAlarmAction':
          'Maintenance stops the function that it watches, so it would ring for nothing',
      })
    }
    if (row.ofStripe || row.consequenceOfStripe)
      acknowledge(alarm, { 'NIST.800.53.R5-CloudWatchAlarmAction': 'The composite alarm that is made of it notifies' })
    else this.notify(alarm, row.notifies)
    return alarm
  }

  /**
   * One alarm if Stripe is unavailable, instead of all that follow from it. CloudWatch suppresses the actions of composite alarms only, so each
   * consequence has one around it (CloudWatch's user guide, Composite alarm action suppression).
   */
  private notifyOfStripe(stage: StageSettings, alarms: readonly { row: AlarmRow; alarm: IAlarm }[]): void {
    const stripe = new CompositeAlarm(this, 'StripeUnavailable', {
      compositeAlarmName: `${stage.name}-console-StripeUnavailable`,
      alarmDescription: describeAlarm('Stripe does not answer, or refuses the key', 'Stripe is unavailable'),
      alarmRule: AlarmRule.anyOf(...alarms.flatMap(({ row, alarm }) => (row.ofStripe ? [alarm] : []))),
    })
    this.notify(stripe, 'page')
    for (const { row, alarm } of alarms) {
      if (!row.consequenceOfStripe) continue
      const alone = new CompositeAlarm(this, `${row.id}Alone`, {
        compositeAlarmName: `${stage.name}-console-${row.id}-alone`,
        alarmDescription: describeAlarm(`${row.says}, and Stripe answers`, row.heading),
        alarmRule: alarm,
        actionsSuppressor: stripe,
        // Stripe's own alarm takes a quarter of an hour.
        actionsSuppressorWaitPeriod: Duration.minutes(10),
        actionsSuppressorExtensionPeriod: Duration.minutes(10),
      })
      this.notify(alone, row.notifies)
    }
  }

  /** When it goes off, and when it is over. */
  private notify(alarm: AlarmBase, topic: AlarmRow['notifies']): void {
    alarm.addAlarmAction(new SnsAction(this.topics[topic]))
    alarm.addOkAction(new SnsAction(this.topics[topic]))
  }
}

function alarmSources(stage: StageSettings, data: DataStack): Omit<AlarmSources, 'api' | 'deadLetters'> {
  const rows: readonly FunctionRow[] = manifest
  const named = (isMeant: (trigger: FunctionRow['trigger']) => boolean) =>
    rows.filter(({ trigger }) => isMeant(trigger)).map(({ name }) => functionName(stage, name))
  return {
    stage: stage.name,
    tables: data.tables.watched,
    mailConfigurationSet: data.mail.configurationSetName,
    apiFunctions: named(({ kind }) => kind === 'http' || kind === 'unmatched'),
    webhook: functionName(stage, 'stripe-webhook'),
    sweep: functionName(stage, 'billing-sweep'),
    reconcile: functionName(stage, 'billing-reconcile'),
    erase: functionName(stage, 'deletions-erase'),
    domains: functionName(stage, 'domains-check'),
    removals: functionName(stage, 'factor-resets-run'),
    moneyMails: functionName(stage, 'billing-mails'),
    relay: functionName(stage, 'events-relay'),
    deliver: functionName(stage, 'events-deliver'),
    signIn: functionName(stage, 'oauth-authorize-submit'),
  }
}
