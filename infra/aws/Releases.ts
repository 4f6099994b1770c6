import { Alarm, type IAlarm, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Duration } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { StageSettings } from '../data/stages.ts'
import { acknowledge } from './acknowledge.ts'
import { describeAlarm } from './runbook.ts'
import type { ServiceFunction } from './ServiceFunction.ts'

const configurations = {
  'all-at-once': LambdaDeploymentConfig.ALL_AT_ONCE,
  'canary-10-percent-5-minutes': LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  'linear-10-percent-every-minute': LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
} as const satisfies Record<StageSettings['rollout'], ILambdaDeploymentConfig>

/** Gives new versions of functions their traffic, all at once or by and by, and takes it back where an alarm of the release goes off. */
export class Releases extends Construct {
  private readonly applicationName: string
  private readonly role: Role
  private readonly deploymentConfig: ILambdaDeploymentConfig
  /** Functions that are stopped make the API answer 5xx: that is no fault of a release. */
  private readonly heedsAlarms: boolean

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id)
    this.deploymentConfig = configurations[stage.maintenance ? 'all-at-once' : stage.rollout]
    this.heedsAlarms = !stage.maintenance
    this.applicationName = `${stage.name}-console`
    new LambdaApplication(this, 'Application', { applicationName: this.applicationName })
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') })
    acknowledge(this.role, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
        'CodeDeploy’s own policy for Lambda: moves aliases, invokes hooks, reads alarms; AWS keeps it as narrow as that',
    })
  }

  /** Releases a function gradually; its own failures and `faults` take a release back. */
  add(fn: ServiceFunction, faults: readonly IAlarm[]): void {
    const failures = fn.live.metricErrors({ period: Duration.minutes(1), statistic: 'Sum' })
    const alarms = [releaseAlarm(fn, 'Failures', 'The function fails', failures, 3), ...faults]
    new LambdaDeploymentGroup(fn, 'Release', {
      // By its name, in whichever stack the function is: an update policy needs no reference to another stack so.
      application: LambdaApplication.fromLambdaApplicationName(fn, 'Application', this.applicationName),
      role: this.role,
      alias: fn.live,
      deploymentConfig: this.deploymentConfig,
      alarms: this.heedsAlarms ? alarms : [],
    })
  }
}

/** An alarm that takes releases back where `metric` reaches `threshold` in any minute; it notifies no topic itself. */
export function releaseAlarm(scope: Construct, id: string, says: string, metric: IMetric, threshold: number): Alarm {
  const alarm = new Alarm(scope, id, {
    alarmDescription: describeAlarm(`${says} during a release`, 'A release was taken back'),
    metric,
    threshold,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  })
  acknowledge(alarm, {
    'NIST.800.53.R5-CloudWatchAlarmAction': 'CodeDeploy watches it; the observability stack’s alarms notify people',
  })
  return alarm
}
