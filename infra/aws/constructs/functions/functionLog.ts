import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import { acknowledge } from '../acknowledge.ts'
import { removalPolicy } from '../stageNames.ts'

/** A log group, with the stage's retention. If the stage keeps its data, the log outlives the stack. */
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

/** The stage, for a log that holds callers' addresses: these are personal data, and are gone after 90 days at most. */
export function withAddresses(stage: StageSettings): StageSettings {
  return stage.logRetentionDays > 90 ? { ...stage, logRetentionDays: 90 } : stage
}

/** Lets a role write to this log group only. The ARN of a log group ends in `:*`, its streams. */
export function writeLogs(logGroup: ILogGroup): PolicyStatement {
  return new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [logGroup.logGroupArn],
  })
}
