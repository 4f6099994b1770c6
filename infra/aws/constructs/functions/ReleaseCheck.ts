import { ArnFormat, Stack } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import { type FunctionRow, servesRelease } from '../../../manifest/row.ts'
import { manifest } from '../../../manifest.ts'
import { acknowledge } from '../acknowledge.ts'
import { findingName } from '../findingName.ts'
import { functionName, releaseChecker } from '../functionNames.ts'
import { ServiceFunction } from './ServiceFunction.ts'

/** What the check is made of. */
export interface ReleaseCheckProps {
  readonly stage: StageSettings
  readonly applicationName: string
  /** Of the bundled `releaseCheck/handler.ts`. */
  readonly codeDirectory: string
  /** The key that the firewall sends, if the stage has a firewall. */
  readonly edgeKey: string | undefined
}

/** Says to a function who reads from its new versions, if they must serve a read. */
export function nameReleaseReader(fn: ServiceFunction, row: FunctionRow, stage: StageSettings): void {
  if (servesRelease(row)) fn.setVariable('RELEASE_READER', releaseReaderOf(stage))
}

/** Who reads from new versions: the API client of the canary, or a user who does not exist. */
function releaseReaderOf({ canaryClient }: StageSettings): string {
  return canaryClient?.clientId ?? 'unknown_user'
}

/** Before traffic, sends each new version a call to refuse and a read to serve, or a check to pass. If the version does not start, it gets no traffic. */
export class ReleaseCheck extends Construct {
  readonly functionName: string
  readonly functionArn: string

  constructor(scope: Construct, id: string, { stage, applicationName, codeDirectory, edgeKey }: ReleaseCheckProps) {
    super(scope, id)
    const fn = new ServiceFunction(this, 'Function', {
      stage,
      name: releaseChecker,
      summary: 'Send a check to each new version before it gets traffic',
      memoryMb: 256,
      // A run of a schedule is waited for, and then its answer.
      timeoutSeconds: 900,
      codeDirectory,
    })
    if (edgeKey !== undefined) fn.setVariable('EDGE_KEY', edgeKey)
    // A read waits for Stripe and the tables. A release that must not wait for them asks for none.
    if (!stage.releaseDuringFaults) fn.setVariable('RELEASE_READER', releaseReaderOf(stage))
    const stack = Stack.of(this)
    const versions = manifest.map(({ name }) =>
      stack.formatArn({
        service: 'lambda',
        resource: 'function',
        resourceName: `${functionName(stage, name)}:*`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    )
    fn.allow({ actions: ['lambda:InvokeFunction'], resources: versions })
    const groups = stack.formatArn({
      service: 'codedeploy',
      resource: 'deploymentgroup',
      resourceName: `${applicationName}/*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    })
    fn.allow({
      actions: [
        'codedeploy:GetDeploymentTarget',
        'codedeploy:ListDeploymentTargets',
        'codedeploy:PutLifecycleEventHookExecutionStatus',
      ],
      resources: [groups],
    })
    for (const arn of [...versions, groups]) {
      acknowledge(fn, {
        [`AwsSolutions-IAM5[Resource::${findingName(this, arn)}]`]: 'Of names that are known, what each release makes',
      })
    }
    this.functionName = functionName(stage, releaseChecker)
    this.functionArn = fn.lambda.functionArn
  }
}
