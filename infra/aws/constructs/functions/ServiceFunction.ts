import type { PolicyStatement } from 'aws-cdk-lib/aws-iam'
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
import { functionName, roleName } from '../stageNames.ts'
import { FunctionRole } from './FunctionRole.ts'
import { createLog, writeLogs } from './functionLog.ts'

/** What a function is on AWS: the fitting columns of its manifest row, its stage, and the directory of its `handler.mjs`. */
interface ServiceFunctionProps extends Pick<FunctionRow, 'name' | 'summary' | 'memoryMb' | 'timeoutSeconds'> {
  readonly stage: StageSettings
  readonly codeDirectory: string
  /** Lets none of it run. */
  readonly isStopped?: boolean
}

/** An alias as CDK's other constructs take it: its own type is no `IFunction` where optional properties are exact. */
type LiveAlias = Alias & IFunction

/** One Lambda with a role and a log group of its own. It may write its log and nothing else until a grant says so. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction
  /** The version in service. Whatever calls the function calls this, so that a release can be gradual and taken back. */
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
      // Source maps stay in cdk.out: a reader of stack traces needs them, Lambda does not.
      code: Code.fromAsset(props.codeDirectory, { exclude: ['*.map'] }),
      handler: 'handler.handler',
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Kept, so that the alias can be put back on an earlier one.
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
    if (reserved === undefined) {
      acknowledge(this, {
        'NIST.800.53.R5-LambdaConcurrency':
          'The stage sets it no bulkhead: it shares what those of others leave, and nothing but its timeout and the API’s throttles keeps it from using all of that',
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

  /** Allows exactly this statement. */
  allow(statement: PolicyStatement): void {
    this.lambda.addToRolePolicy(statement)
  }
}

function isFunction(alias: Alias): alias is LiveAlias {
  return alias.role !== undefined
}

function asFunction(alias: Alias): LiveAlias {
  if (!isFunction(alias)) throw new Error(`${alias.node.path} has no role`)
  return alias
}
