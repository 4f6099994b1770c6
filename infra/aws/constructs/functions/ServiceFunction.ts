import { PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam'
import {
  type Alias,
  Architecture,
  Code,
  type IFunction,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { VariableName } from '../../../../lib/runtime/environment.ts'
import type { StageSettings } from '../../../data/stages.ts'
import type { FunctionRow } from '../../../manifest.ts'
import { acknowledge } from '../acknowledge.ts'
import { functionName } from '../functionNames.ts'
import { roleName } from '../stageNames.ts'
import { FunctionRole } from './FunctionRole.ts'
import { createLog, writeLogs } from './functionLog.ts'

/** Columns of a manifest row, the stage, and the directory of the function's `handler.mjs`. */
interface ServiceFunctionProps extends Pick<FunctionRow, 'name' | 'summary' | 'memoryMb' | 'timeoutSeconds'> {
  readonly stage: StageSettings
  readonly codeDirectory: string
  /** Reserves no concurrency, so that nothing can run. */
  readonly isStopped?: boolean
}

/** CDK's class Alias does not fit `IFunction` under `exactOptionalPropertyTypes`. */
type LiveAlias = Alias & IFunction

/** A Lambda function with its own role and log group. Until it is granted more, it may only write its log. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction
  /** The version in service. All callers call this alias, so that a release can be gradual and can be taken back. */
  readonly live: LiveAlias

  constructor(scope: Construct, id: string, { stage, ...props }: ServiceFunctionProps) {
    super(scope, id)
    const name = functionName(stage, props.name)
    const logGroup = createLog(this, 'Log', stage, `/aws/lambda/${name}`)
    const role = new FunctionRole(this, 'Role', roleName(stage, props.name))
    role.addToPolicy(writeLogs(logGroup))
    const reserved = props.isStopped ? 0 : stage.reservedConcurrency[props.name]
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: name,
      description: props.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      // Source maps stay in cdk.out: people need them when they read stack traces, Lambda does not.
      code: Code.fromAsset(props.codeDirectory, { exclude: ['*.map'] }),
      handler: 'handler.handler',
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Kept, so that the alias can go back to an earlier version.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
      tracing: stage.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    })
    this.setVariable('STAGE', stage.name)
    this.live = asFunction(this.lambda.addAlias('live'))
    const xRay = 'X-Ray’s two actions know no resource'
    if (stage.tracing)
      acknowledge(role, { 'AwsSolutions-IAM5[Resource::*]': xRay, 'Serverless-LambdaStarPermissions': xRay })
    else acknowledge(this, { 'Serverless-LambdaTracing': 'The stage has tracing off' })
    if (!reserved) {
      acknowledge(this, {
        'NIST.800.53.R5-LambdaConcurrency': props.isStopped
          ? 'Maintenance stops it: 0 lets nothing run'
          : 'The stage sets it no bulkhead: it shares what those of others leave, and nothing but its timeout and the API’s throttles keeps it from using all of that',
      })
    }
    const synchronous =
      'Answers its caller, who sees a failure and may repeat it; what a schedule loses goes to the dead letters'
    acknowledge(this, {
      'NIST.800.53.R5-LambdaDLQ': synchronous,
      'Serverless-LambdaDLQ': synchronous,
      'NIST.800.53.R5-LambdaInsideVPC':
        'Speaks with AWS’s and Stripe’s public endpoints only; nothing it needs is in a VPC',
    })
  }

  /** Sets a variable of the function's environment; only names its reader knows. */
  setVariable(name: VariableName, value: string): void {
    this.lambda.addEnvironment(name, value)
  }

  /** Allows exactly this. */
  allow(statement: PolicyStatementProps): void {
    this.lambda.addToRolePolicy(new PolicyStatement(statement))
  }
}

function isFunction(alias: Alias): alias is LiveAlias {
  return alias.role !== undefined
}

function asFunction(alias: Alias): LiveAlias {
  if (!isFunction(alias)) throw new Error(`${alias.node.path} has no role`)
  return alias
}
