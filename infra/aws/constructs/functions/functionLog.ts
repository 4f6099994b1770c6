import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import { acknowledge } from '../acknowledge.ts'
import { removalPolicy } from '../stageNames.ts'

/** A log group. Its lines are kept as long as the stage says; where the stage keeps its data, they outlive the stack. */
export function createLog(scope: Construct, id: string, stage: StageSettings, logGroupName?: string): LogGroup {
  const log = new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention: stage.logRetentionDays,
    removalPolicy: removalPolicy(stage),
  })
  acknowledge(log, {
    'NIST.800.53.R5-CloudWatchLogGroupEncrypted':
      'CloudWatch encrypts every log at rest; these hold ids and outcomes, no bodies, secrets or card data',
  })
  return log
}

/** Lets a role write to one log group and nowhere else; the ARN of a log group ends in `:*`, its streams. */
export function writeLogs(logGroup: ILogGroup): PolicyStatement {
  return new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  })
}
