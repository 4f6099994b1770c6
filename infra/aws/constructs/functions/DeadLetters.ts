import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import { Duration } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import { acknowledge } from '../acknowledge.ts'

/** Keeps the events of failed scheduled runs for 14 days. */
export class DeadLetters extends Construct {
  readonly queue: Queue

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id)
    this.queue = new Queue(this, 'Queue', {
      queueName: `${stage.name}-console-dead-letters`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    })
    const last = 'It is the dead-letter queue: people empty it'
    acknowledge(this.queue, { 'AwsSolutions-SQS3': last, 'Serverless-SQSRedrivePolicy': last })
  }
}
