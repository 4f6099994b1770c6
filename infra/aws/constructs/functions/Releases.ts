import { Alarm, type IAlarm, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnAlias } from 'aws-cdk-lib/aws-lambda'
import { ArnFormat, Stack } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import type { FunctionRow, Trigger } from '../../../manifest.ts'
import { versionErrors, versionFaults } from '../../alarms/metrics.ts'
import { describeAlarm } from '../../alarms/runbook.ts'
import { acknowledge } from '../acknowledge.ts'
import { ReleaseCheck, type ReleaseCheckProps } from './ReleaseCheck.ts'
import type { ServiceFunction } from './ServiceFunction.ts'

const configurations = {
  'all-at-once': LambdaDeploymentConfig.ALL_AT_ONCE,
  'canary-10-percent-5-minutes': LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  'linear-10-percent-every-minute': LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
} as const satisfies Record<StageSettings['rollout'], ILambdaDeploymentConfig>

/** What releases are made with: the stage, and what their check needs. */
type ReleasesProps = Omit<ReleaseCheckProps, 'applicationName'>

/** Of a function that is released: how it is called, and whether it may be at all. */
interface Released extends Pick<FunctionRow, 'trigger'> {
  readonly isStopped: boolean
}

/** Gives new versions of functions their traffic, all at once or by and by, and takes it back where an alarm of the release goes off. */
export class Releases extends Construct {
  private readonly stage: string
  private readonly applicationName: string
  private readonly role: Role
  private readonly deploymentConfig: ILambdaDeploymentConfig
  /** Functions that are stopped make the API answer 5xx: that is no fault of a release. */
  private readonly heedsAlarms: boolean
  private readonly heedsFaults: boolean
  private readonly check: ReleaseCheck

  constructor(scope: Construct, id: string, { stage, ...check }: ReleasesProps) {
    super(scope, id)
    this.stage = stage.name
    this.deploymentConfig = configurations[stage.maintenance ? 'all-at-once' : stage.rollout]
    this.heedsAlarms = !stage.maintenance
    this.heedsFaults = !stage.releaseDuringFaults
    this.applicationName = `${stage.name}-console`
    new LambdaApplication(this, 'Application', { applicationName: this.applicationName })
    this.check = new ReleaseCheck(this, 'Check', { stage, applicationName: this.applicationName, ...check })
    const hook = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [this.check.functionArn] })
    const stack = Stack.of(this)
    const groups = stack.formatArn({
      service: 'codedeploy',
      resource: 'deploymentgroup',
      resourceName: `${this.applicationName}/*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    })
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com', {
        // CodeDeploy acts for every account: only for these groups of this one (CodeDeploy's user guide, Cross-service confused deputy prevention).
        conditions: { StringEquals: { 'aws:SourceAccount': stack.account }, ArnLike: { 'aws:SourceArn': groups } },
      }),
      inlinePolicies: { hook: new PolicyDocument({ statements: [hook] }) },
    })
    acknowledge(this.role, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
        'CodeDeploy’s own policy for Lambda: moves aliases, reads alarms; AWS keeps it as narrow as that',
      'NIST.800.53.R5-IAMNoInlinePolicy': 'It names the one function that CodeDeploy may call here',
    })
  }

  /**
   * Releases a function gradually; a single failure of its new version, what that answers 5xx, and `faults` take a release back. No call
   * checks one that is stopped: Lambda would refuse it.
   */
  add(fn: ServiceFunction, { trigger, isStopped }: Released, faults: readonly IAlarm[]): void {
    // Of the new version alone: what the old one does must not forbid the release that mends it.
    const failures = versionErrors(fn, failurePeriods[trigger.kind === 'schedule' ? trigger.every : 'minute'])
    const failed = releaseAlarm(fn, 'Failures', 'The new version fails', failures, { threshold: 1 })
    // It also answers 5xx while a neighbor is unavailable; but so it does where it alone lacks a permission or a key, and nothing distinguishes the
    // two. Both take a release back, unless the stage says that it goes on.
    const answered = trigger.kind === 'schedule' ? [] : [this.answersFaults(fn, trigger)]
    const alarms = [failed, ...(this.heedsFaults ? [...answered, ...faults] : [])]
    const { deploymentGroupName } = new LambdaDeploymentGroup(fn, 'Release', {
      // By its name, in whichever stack the function is: an update policy needs no reference to another stack so.
      application: LambdaApplication.fromLambdaApplicationName(fn, 'Application', this.applicationName),
      role: this.role,
      alias: fn.live,
      deploymentConfig: this.deploymentConfig,
      alarms: this.heedsAlarms ? alarms : [],
    })
    const { defaultChild } = fn.live.node
    if (!(defaultChild instanceof CfnAlias)) throw new Error(`${fn.live.node.path} is no alias`)
    // Names, for the same reason.
    defaultChild.cfnOptions.updatePolicy = {
      codeDeployLambdaAliasUpdate: {
        applicationName: this.applicationName,
        deploymentGroupName,
        ...(!isStopped && { beforeAllowTrafficHook: this.check.functionName }),
      },
    }
  }

  /** One answer of 5xx where someone pays, or Stripe says that they did; elsewhere in two of five minutes, as long as a canary takes. */
  private answersFaults(fn: ServiceFunction, trigger: Trigger): Alarm {
    const when = takesMoney(trigger) ? { threshold: 1 } : { threshold: 1, periods: 2, of: 5 }
    return releaseAlarm(fn, 'Faults', 'The new version answers 5xx', versionFaults(fn, this.stage), when)
  }
}

/** The calls that buy, cancel and pay, and the webhook. */
function takesMoney(trigger: Trigger): boolean {
  if (trigger.kind === 'http') return trigger.method === 'POST' && trigger.path.startsWith('/api/billing/')
  return trigger.kind === 'url'
}

/** Minutes in which a function that is called, or runs at least so often, has failed once or not. */
const failurePeriods = { minute: 1, '15 minutes': 15, day: 24 * 60 } as const satisfies Record<
  Extract<Trigger, { kind: 'schedule' }>['every'],
  number
>

/** When a release's alarm goes off: `threshold` reached in `periods` (1) of `of` (as many) in a row. */
interface When {
  readonly threshold: number
  readonly periods?: number
  readonly of?: number
}

/** An alarm that takes releases back; it notifies no topic itself. */
export function releaseAlarm(scope: Construct, id: string, says: string, metric: IMetric, when: When): Alarm {
  const { threshold, periods = 1, of = periods } = when
  const alarm = new Alarm(scope, id, {
    alarmDescription: describeAlarm(`${says} during a release`, 'A release was taken back'),
    metric,
    threshold,
    evaluationPeriods: of,
    datapointsToAlarm: periods,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  })
  acknowledge(alarm, {
    'NIST.800.53.R5-CloudWatchAlarmAction': 'CodeDeploy watches it; the observability stack’s alarms notify people',
  })
  return alarm
}
