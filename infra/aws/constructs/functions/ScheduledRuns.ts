import { Rule, Schedule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Duration } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { Trigger } from '../../../manifest.ts'
import type { ServiceFunction } from './ServiceFunction.ts'

type Every = Extract<Trigger, { kind: 'schedule' }>['every']

// No retries: the next run does the same work. EventBridge does not start a run when it is older than `maxEventAge`.
const runs = {
  minute: { schedule: Schedule.rate(Duration.minutes(1)), retryAttempts: 0, maxEventAge: Duration.minutes(1) },
  '15 minutes': { schedule: Schedule.rate(Duration.minutes(15)), retryAttempts: 0, maxEventAge: Duration.minutes(15) },
  day: { schedule: Schedule.rate(Duration.days(1)), retryAttempts: 0, maxEventAge: Duration.hours(6) },
} as const satisfies Record<Every, { schedule: Schedule; retryAttempts: number; maxEventAge: Duration }>

/**
 * Runs a function every minute, every 15 minutes or once a day. If a run fails, it becomes a dead letter. Set `enabled` to false when the
 * function is stopped, or all its runs become dead letters.
 */
export class ScheduledRuns extends Construct {
  constructor(
    scope: Construct,
    id: string,
    fn: ServiceFunction,
    every: Every,
    deadLetters: IQueue,
    { enabled = true } = {},
  ) {
    super(scope, id)
    const { schedule, ...limits } = runs[every]
    // A run is lost if EventBridge cannot deliver the event (the target), or if the function fails (the asynchronous invocation).
    const target = new LambdaFunction(fn.live, { ...limits, deadLetterQueue: deadLetters })
    new Rule(this, 'Rule', { schedule, targets: [target], enabled })
    fn.live.configureAsyncInvoke({ ...limits, onFailure: new SqsDestination(deadLetters) })
  }
}
