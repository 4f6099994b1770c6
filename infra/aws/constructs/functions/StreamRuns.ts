import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda'
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Duration } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import { type StreamName, streams } from '../../../manifest.ts'
import type { ServiceFunction } from './ServiceFunction.ts'

/** Lambda stops after either of them. The function's run of every minute does what the stream gives up. */
const limits = { retryAttempts: 5, maxRecordAge: Duration.minutes(15) } as const

/**
 * Runs a function with the new items of a table, at once: up to ten batches at a time, items of a partition in order. A batch
 * begins again at the first item that the function reports as failed, and a batch that fails as a whole is halved.
 */
export class StreamRuns extends Construct {
  constructor(
    scope: Construct,
    id: string,
    fn: ServiceFunction,
    { stream, streamArn, deadLetters }: { stream: StreamName; streamArn: string; deadLetters: IQueue },
    { enabled = true } = {},
  ) {
    super(scope, id)
    const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams']
    fn.allow({ actions: actions.map((action) => `dynamodb:${action}`), resources: [streamArn] })
    new EventSourceMapping(this, 'Mapping', {
      target: fn.live,
      eventSourceArn: streamArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      parallelizationFactor: 10,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      ...limits,
      onFailure: new SqsDlq(deadLetters),
      filters: [{ pattern: JSON.stringify(streams[stream]) }],
      enabled,
    })
  }
}
