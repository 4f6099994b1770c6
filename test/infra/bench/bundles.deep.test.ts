import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { startDynamoDb } from '../../../infra/local/dynamodb/startDynamoDb.ts'
import type { LambdaEvent } from '../../../infra/local/invokeFunction.ts'
import { type LocalClient, localClient } from '../../../infra/local/localClient.ts'
import { createResourceScope } from '../../../infra/local/resourceScope.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { type LocalStack, startStack } from '../../../infra/local/stack.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import type { AwsCalls } from '../../support/aws/awsCalls.ts'
import { startDynamoDbProxy } from '../../support/aws/dynamodbProxy.ts'

const rows: readonly FunctionRow[] = manifest
const cases = rows.flatMap((row) => Object.values(row.samples).map((sample) => ({ row, name: row.name, sample })))
/** Functions whose served request asks the store. */
const storing = rows.filter(({ tables, samples }) => Object.keys(tables).length > 0 && samples.served !== undefined)
const httpAnswer = z.object({ statusCode: z.number() })
const opened = createResourceScope()

let proxy: AwsCalls
let stack: LocalStack
let client: LocalClient

beforeAll(async () => {
  const database = await opened.add(startDynamoDb())
  proxy = await opened.add(startDynamoDbProxy(database.endpoint))
  const env = { AWS_ENDPOINT_URL_DYNAMODB: proxy.endpoint }
  stack = await opened.add(startStack({ env, quiet: true, schedules: false, bundles: true }))
  client = localClient(stack.info)
})

afterAll(() => opened.close())

/** The status of an answer, 200 for what a schedule's function returns, or `failed`. */
async function statusOf(row: FunctionRow, event: LambdaEvent): Promise<number | 'failed'> {
  try {
    return httpAnswer.safeParse(await stack.invoke(row, event)).data?.statusCode ?? 200
  } catch {
    return 'failed'
  }
}

describe('A bundle on the local stack', () => {
  it.each(cases)('answers the sample $sample of $name as it says', async ({ row, name, sample }) => {
    const { event, expectedStatus } = await fillSampleEvent(client, name, sample)
    expect(await statusOf(row, event)).toBe(expectedStatus)
  })
})

/** What functions answer that do not answer 503 while the store is unavailable. */
const otherwise: Readonly<Record<string, number | 'failed'>> = {
  // Stripe repeats an event after any 5xx.
  'stripe-webhook': 500,
  // A failed run of a schedule is tried again; the reconciliation leaves its pass to the next run.
  'billing-sweep': 'failed',
  'billing-mails': 'failed',
  'factor-resets-run': 'failed',
  'deletions-erase': 'failed',
  'domains-check': 'failed',
  // A stream repeats its batch.
  'events-relay': 'failed',
  'events-deliver': 'failed',
  'billing-reconcile': 200,
}

describe('A bundle whose store is unavailable', () => {
  it.each(storing)('$name says so', async (row) => {
    const { event } = await fillSampleEvent(client, row.name, row.samples.served)
    proxy.fail({ times: 1000, kind: 'drop_before' })
    try {
      expect(await statusOf(row, event)).toBe(otherwise[row.name] ?? 503)
    } finally {
      proxy.reset()
    }
  })
})
