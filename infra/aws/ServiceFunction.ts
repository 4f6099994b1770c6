import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda'
import { type ILogGroup, LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { VariableName } from '../../lib/runtime/environment.ts'
import type { FunctionRow } from '../manifest.ts'

/** What a function is on AWS: the fitting columns of its manifest row, and the directory of its `handler.mjs`. */
export interface ServiceFunctionProps extends Pick<FunctionRow, 'name' | 'summary' | 'memoryMb' | 'timeoutSeconds'> {
  readonly codeDirectory: string
}

/** Lets a role write to one log group and nowhere else; the ARN of a log group ends in `:*`, its streams. */
export function writeLogs(logGroup: ILogGroup): PolicyStatement {
  return new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  })
}

/** One Lambda with a role and a log group of its own. It may write its log and nothing else until a grant says so. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id)
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/aws/lambda/${props.name}`,
      retention: RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
    role.addToPolicy(writeLogs(logGroup))
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: props.name,
      description: props.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(props.codeDirectory),
      handler: 'handler.handler',
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
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
