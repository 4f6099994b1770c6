import { Alarm, ComparisonOperator, type IAlarm, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import { type FunctionRow, manifest } from '../../manifest.ts'
import { AlarmTopic } from '../alarms/AlarmTopic.ts'
import { type AlarmRow, type AlarmSources, alarmRows } from '../alarms/alarms.ts'
import { Dashboard } from '../alarms/Dashboard.ts'
import { HttpCanary } from '../alarms/HttpCanary.ts'
import { MonthlyBudget } from '../alarms/MonthlyBudget.ts'
import { describeAlarm } from '../alarms/runbook.ts'
import { surroundingAlarms } from '../alarms/surroundingAlarms.ts'
import { acknowledge } from '../constructs/acknowledge.ts'
import { functionName } from '../constructs/stageNames.ts'
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
  constructor(scope: Construct, id: string, { stage, data, api, deadLetters, ...props }: ObservabilityStackProps) {
    super(scope, id, { description: 'Dashboard and alarms of the console', ...props })
    const { topic } = new AlarmTopic(this, 'Alarms', stage)
    const canary = this.canary(stage, api)
    const sources = { ...alarmSources(stage, data), api: api.routes.api, deadLetters }
    const surroundings = surroundingAlarms({ mailConfigurationSet: sources.mailConfigurationSet, stage, canary })
    const alarms = [...alarmRows(sources), ...surroundings].map((row) => this.alarm(stage, row, topic))
    new Dashboard(this, 'Dashboard', {
      stage,
      from: sources,
      alarms,
      surroundings: surroundings.map(({ metric }) => metric),
    })
    const { alarmEmail: email, monthlyBudgetUsd: dollars } = stage
    if (email && dollars) new MonthlyBudget(this, 'Budget', { name: `${stage.name}-console`, dollars, email })
    new CfnOutput(this, 'AlarmTopic', { value: topic.topicArn, description: 'Subscribe the people on duty' })
  }

  private canary({ name, canaryMinutes }: StageSettings, { apiUrl }: ApiStack): Metric | undefined {
    if (canaryMinutes === undefined) return undefined
    return new HttpCanary(this, 'Canary', { name: `${name}-console`, minutes: canaryMinutes, apiUrl }).success
  }

  private alarm(stage: StageSettings, row: AlarmRow, topic: ITopic): IAlarm {
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
    alarm.addAlarmAction(new SnsAction(topic))
    // Notify people too when it is over.
    alarm.addOkAction(new SnsAction(topic))
    return alarm
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
    removals: functionName(stage, 'factor-resets-run'),
  }
}
