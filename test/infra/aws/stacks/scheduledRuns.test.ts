import { describe, expect, it } from '@jest/globals'
import { Stack } from 'aws-cdk-lib/core'
import * as z from 'zod'
import { DeadLetters } from '../../../../infra/aws/constructs/functions/DeadLetters.ts'
import { ScheduledRuns } from '../../../../infra/aws/constructs/functions/ScheduledRuns.ts'
import { ServiceFunction } from '../../../../infra/aws/constructs/functions/ServiceFunction.ts'
import { StreamRuns } from '../../../../infra/aws/constructs/functions/StreamRuns.ts'
import { codeDirectory, synthesize } from './assembled.ts'
import { stageWith } from './synthesized.ts'
import { reference } from './templates.ts'

const stage = stageWith()
const row = { name: 'sweeper', summary: 'Sweep', memoryMb: 256, timeoutSeconds: 5 }

const target = z.object({
  Arn: reference,
  DeadLetterConfig: z.object({ Arn: reference }),
  RetryPolicy: z.object({ MaximumRetryAttempts: z.number(), MaximumEventAgeInSeconds: z.number() }),
})

function synthesizeEvery(every: 'minute' | '15 minutes' | 'day') {
  const { read } = synthesize((app) => {
    const small = new Stack(app, 'Small')
    const fn = new ServiceFunction(small, 'Function', { ...row, stage, codeDirectory })
    new ScheduledRuns(small, 'Runs', fn, every, new DeadLetters(small, 'DeadLetters', stage).queue)
    return { small }
  })
  const stack = read('small')
  const [rule] = stack.resources(
    'AWS::Events::Rule',
    z.object({ ScheduleExpression: z.string(), Targets: z.array(target) }),
  )
  const [invoked] = stack.resources(
    'AWS::Lambda::EventInvokeConfig',
    z.object({
      Qualifier: z.unknown(),
      MaximumRetryAttempts: z.number(),
      MaximumEventAgeInSeconds: z.number(),
      DestinationConfig: z.object({ OnFailure: z.object({ Destination: reference }) }),
    }),
  )
  const [queue] = stack.resources('AWS::SQS::Queue', z.record(z.string(), z.unknown()))
  const [alias] = stack.resources('AWS::Lambda::Alias', z.looseObject({}))
  return { stack, rule: rule?.Properties, invoked: invoked?.Properties, queue, alias }
}

describe.each([
  ['minute', 'rate(1 minute)', 0, 60],
  ['15 minutes', 'rate(15 minutes)', 0, 900],
  ['day', 'rate(1 day)', 0, 21600],
] as const)('A function that runs every %s', (every, expression, retries, age) => {
  const { rule, invoked, queue, alias } = synthesizeEvery(every)
  const limits = { MaximumRetryAttempts: retries, MaximumEventAgeInSeconds: age }

  it('is started by its rule, on the version in service', () => {
    expect(rule?.ScheduleExpression).toBe(expression)
    expect(rule?.Targets.map(({ Arn }) => Arn)).toEqual([alias?.id])
  })

  it(`is tried again ${retries} times, whether it was not reached or failed`, () => {
    expect(rule?.Targets.map(({ RetryPolicy }) => RetryPolicy)).toEqual([limits])
    expect(invoked).toMatchObject(limits)
  })

  it('leaves a dead letter where it fails for good', () => {
    expect(rule?.Targets.map(({ DeadLetterConfig }) => DeadLetterConfig.Arn)).toEqual([`${queue?.id}.Arn`])
    expect(invoked?.DestinationConfig.OnFailure.Destination).toBe(`${queue?.id}.Arn`)
  })
})

describe('The dead letters', () => {
  const { stack, queue } = synthesizeEvery('minute')

  it('are encrypted and kept for 14 days', () => {
    expect(queue?.Properties).toMatchObject({ SqsManagedSseEnabled: true, MessageRetentionPeriod: 14 * 86_400 })
  })

  // [asvs 12.3.1]
  it('are read and written over TLS only', () => {
    const [policy] = stack.resources('AWS::SQS::QueuePolicy', z.looseObject({}))
    expect(policy?.Properties).toMatchObject({
      PolicyDocument: {
        Statement: [
          {
            Effect: 'Deny',
            Action: 'sqs:*',
            Principal: { AWS: '*' },
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
          { Effect: 'Allow', Action: 'sqs:SendMessage', Principal: { Service: 'events.amazonaws.com' } },
        ],
      },
    })
  })
})

describe('A function that follows the stream of a table', () => {
  const streamArn = 'arn:aws:dynamodb:eu-central-1:111111111111:table/events/stream/2026'
  const { read } = synthesize((app) => {
    const small = new Stack(app, 'Small')
    const fn = new ServiceFunction(small, 'Function', { ...row, stage, codeDirectory })
    const deadLetters = new DeadLetters(small, 'DeadLetters', stage).queue
    new StreamRuns(small, 'Stream', fn, { stream: 'outbox', streamArn, deadLetters })
    return { small }
  })
  const [mapping] = read('small').resources('AWS::Lambda::EventSourceMapping', z.looseObject({}))

  it('gets only new items that it is about, ten batches at once, and only what failed again', () => {
    const Pattern = '{"eventName":["INSERT"],"dynamodb":{"Keys":{"sk":{"S":[{"prefix":"OUTBOX#"}]}}}}'
    expect(mapping?.Properties).toMatchObject({
      Enabled: true,
      EventSourceArn: streamArn,
      FilterCriteria: { Filters: [{ Pattern }] },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      ParallelizationFactor: 10,
      StartingPosition: 'TRIM_HORIZON',
    })
  })

  it('leaves what it gives up to the runs of every minute, and a dead letter', () => {
    expect(mapping?.Properties).toMatchObject({ MaximumRetryAttempts: 5, MaximumRecordAgeInSeconds: 900 })
    expect(mapping?.Properties.DestinationConfig).toHaveProperty('OnFailure.Destination')
  })
})
