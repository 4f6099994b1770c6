import { Alarm, CfnAlarm, type IAlarm, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy'
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnAlias, CfnVersion } from 'aws-cdk-lib/aws-lambda'
import { ArnFormat, Lazy, Stack } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import type { FunctionRow, Trigger } from '../../../manifest.ts'
import { versionErrors, versionFaults } from '../../alarms/metrics.ts'
import { describeAlarm } from '../../alarms/runbook.ts'
import { acknowledge } from '../acknowledge.ts'
import { ReleaseCheck, type ReleaseCheckProps } from './ReleaseCheck.ts'
import type { ServiceFunction } from './ServiceFunction.ts'

/** How many releases of a stack run at once. */
const AT_ONCE = 8

/** The logical id of a version ends in as many digits of its function's hash. */
const VERSION_HASH = 32

const configurations = {
  'all-at-once': LambdaDeploymentConfig.ALL_AT_ONCE,
  'canary-10-percent-5-minutes': LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  'linear-10-percent-every-minute': LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
} as const satisfies Record<StageSettings['rollout'], ILambdaDeploymentConfig>

type ReleasesProps = Omit<ReleaseCheckProps, 'applicationName'>

interface Released extends Pick<FunctionRow, 'trigger'> {
  readonly isStopped: boolean
}

/** Shifts traffic to new versions, at once or step by step, and shifts it back when an alarm of the release goes off. */
export class Releases extends Construct {
  private readonly stage: string
  private readonly applicationName: string
  private readonly role: Role
  private readonly deploymentConfig: ILambdaDeploymentConfig
  /** False in maintenance: stopped functions make the API answer 5xx, which is not the release's fault. */
  private readonly heedsAlarms: boolean
  private readonly heedsFaults: boolean
  private readonly check: ReleaseCheck
  /** The aliases of each stack, in the order in which they were added. */
  private readonly added = new Map<Stack, CfnAlias[]>()

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
        // CodeDeploy acts for every account. Allow only these groups of this account (its user guide, Cross-service confused deputy prevention).
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
   * Releases a function gradually. The release is taken back if its new version fails once, if it answers 5xx, or if an alarm of `faults` goes
   * off. A stopped function is not checked: Lambda would refuse the call.
   */
  add(fn: ServiceFunction, { trigger, isStopped }: Released, faults: readonly IAlarm[]): void {
    // Count the new version only: faults of the old version must not block the release that fixes them.
    const failures = versionErrors(fn, failurePeriods[trigger.kind === 'schedule' ? trigger.every : 'minute'])
    const failed = versionAlarm(fn, 'Failures', 'The new version fails', failures, { threshold: 1 })
    // A version answers 5xx when a neighbor is unavailable, but also if it lacks a permission or a key, and the alarm cannot distinguish the two.
    // Both take a release back, unless the stage sets `releaseDuringFaults`.
    const answered = trigger.kind === 'schedule' ? [] : [this.answersFaults(fn, trigger)]
    const alarms = [failed, ...(this.heedsFaults ? [...answered, ...faults] : [])]
    const { deploymentGroupName } = new LambdaDeploymentGroup(fn, 'Release', {
      // By name, so that the update policy needs no reference to another stack.
      application: LambdaApplication.fromLambdaApplicationName(fn, 'Application', this.applicationName),
      role: this.role,
      alias: fn.live,
      deploymentConfig: this.deploymentConfig,
      alarms: this.heedsAlarms ? alarms : [],
    })
    const { defaultChild } = fn.live.node
    if (!(defaultChild instanceof CfnAlias)) throw new Error(`${fn.live.node.path} is no alias`)
    this.queue(defaultChild)
    // By name, for the same reason.
    defaultChild.cfnOptions.updatePolicy = {
      codeDeployLambdaAliasUpdate: {
        applicationName: this.applicationName,
        deploymentGroupName,
        ...(!isStopped && { beforeAllowTrafficHook: this.check.functionName }),
      },
    }
  }

  /** Lets a release of a stack begin when the eighth before it has ended: all that begin at once call CodeDeploy at once. */
  private queue(alias: CfnAlias): void {
    const stack = Stack.of(alias)
    const before = this.added.get(stack) ?? []
    const awaited = before.at(-AT_ONCE)
    if (awaited) alias.addResourceDependency(awaited)
    this.added.set(stack, [...before, alias])
  }

  /** A single 5xx if the function takes money; otherwise 5xx in two of five minutes, the duration of a canary. */
  private answersFaults(fn: ServiceFunction, trigger: Trigger): Alarm {
    const when = takesMoney(trigger) ? { threshold: 1 } : { threshold: 1, periods: 2, of: 5 }
    return versionAlarm(fn, 'Faults', 'The new version answers 5xx', versionFaults(fn, this.stage), when)
  }
}

/** The calls that buy, cancel and pay, and the webhook. */
function takesMoney(trigger: Trigger): boolean {
  if (trigger.kind === 'http') return trigger.method === 'POST' && trigger.path.startsWith('/api/billing/')
  return trigger.kind === 'url'
}

/**
 * Minutes in which a function that is called, or runs at least so often, has failed once or not. A quarter of an hour for the daily run too: an
 * alarm stays red for its whole period, and then stops the release that mends the function.
 */
const failurePeriods = { minute: 1, '15 minutes': 15, day: 15 } as const satisfies Record<
  Extract<Trigger, { kind: 'schedule' }>['every'],
  number
>

/** When a release's alarm goes off: `threshold` reached in `periods` (1) of `of` (as many) in a row. */
interface When {
  readonly threshold: number
  readonly periods?: number
  readonly of?: number
}

/**
 * An alarm of a function's current version. Its logical id has the version's hash: each version has its own alarm, or the next would begin with
 * the state of the last.
 */
function versionAlarm(fn: ServiceFunction, id: string, says: string, metric: IMetric, when: When): Alarm {
  const alarm = releaseAlarm(fn, id, says, metric, when)
  const { defaultChild } = alarm.node
  const version = fn.lambda.currentVersion.node.defaultChild
  if (!(defaultChild instanceof CfnAlarm && version instanceof CfnVersion))
    throw new Error(`${alarm.node.path} has no version`)
  const stack = Stack.of(fn)
  const own: unknown = stack.resolve(defaultChild.logicalId)
  // The hash is known when the template is written.
  const produce = () => `${own}${String(stack.resolve(version.logicalId)).slice(-VERSION_HASH)}`
  defaultChild.overrideLogicalId(Lazy.uncachedString({ produce }))
  return alarm
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
