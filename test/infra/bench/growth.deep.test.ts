import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { generateOrganizations } from '../../../infra/local/dynamodb/startLargeStore.ts'
import type { FunctionName } from '../../../infra/manifest.ts'
import { deliver, latestEvent } from '../../billing/events/webhookRequests.ts'
import { subscribedOrganization } from '../../billing/gatewayView.ts'
import type { AwsCall } from '../../support/aws/awsCalls.ts'
import { type BillingStack, useBillingStack } from '../../support/billingStack.ts'
import { runs } from '../cost/runs.ts'

const bed = useBillingStack()
const sizes = [100, 10_000] as const

/** What could depend on how many organizations there are: whatever looks one up, lists, or goes through an index. */
const operations = [
  ['checkout, 1 line', 'billing-checkout'],
  ['entitlements', 'billing-entitlements'],
  ['subscriptions', 'billing-subscriptions'],
  ['token for a code', 'oauth-token'],
  ['token refresh', 'oauth-token'],
  ['users/me', 'users-me'],
  ['organizations of a user', 'organizations'],
  ['webhook, a change', 'stripe-webhook'],
  ['webhook without our metadata', 'stripe-webhook'],
  ['sweep with nothing to do', 'billing-sweep'],
  ['reconciliation that is not due', 'billing-reconcile'],
] as const satisfies readonly (readonly [string, FunctionName])[]

const more: typeof runs = {
  'checkout, 1 line': async (stack) => {
    // Prices are kept for five minutes.
    await (await runs['checkout, 1 line']?.(stack))?.()
    return (await runs['checkout, 1 line']?.(stack)) ?? (async () => {})
  },
  'organizations of a user': async (stack) => {
    const token = await stack.token('stranger')
    return () => stack.client.send({ method: 'GET', path: '/api/organizations', token })
  },
  'webhook without our metadata': async (stack) => {
    const { subscriptionId } = await subscribedOrganization(stack)
    await stack.emulator.webhooks('hold')
    await stack.stripe.subscriptions.update(subscriptionId, { metadata: { organization_id: '' } })
    await stack.emulator.advance(10)
    const event = await latestEvent(stack, 'customer.subscription.updated', subscriptionId)
    return () => deliver(stack, event)
  },
}

const input = z.looseObject({
  RequestItems: z.record(z.string(), z.looseObject({ Keys: z.array(z.unknown()) })).optional(),
  TransactItems: z.array(z.unknown()).optional(),
  TableName: z.string().optional(),
})

/** A call, with what it is charged by: the items of a batch or transaction, and the rows that a query or scan went through. */
async function chargedCall(stack: BillingStack, { operation, input: given }: AwsCall): Promise<string> {
  const { RequestItems, TransactItems } = input.parse(given)
  const keys = Object.values(RequestItems ?? {}).flatMap(({ Keys }) => Keys).length
  const rows = operation === 'Query' || operation === 'Scan' ? await rowsOf(stack, operation, given) : 0
  return `${operation} ${keys + (TransactItems?.length ?? 0) + rows}`
}

/** Sends the call again: nothing was written since. */
async function rowsOf({ documents }: BillingStack, operation: 'Query' | 'Scan', given: unknown): Promise<number> {
  const strings = z.looseObject({
    ExpressionAttributeValues: z.record(z.string(), z.object({ S: z.string() })).optional(),
    Limit: z.number().optional(),
  })
  const { ExpressionAttributeValues = {}, ...rest } = strings.parse(given)
  const values = Object.fromEntries(Object.entries(ExpressionAttributeValues).map(([name, { S }]) => [name, S]))
  const again = z.custom<QueryCommand['input'] & ScanCommand['input']>().parse({
    ...rest,
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  })
  const { ScannedCount = 0 } = await documents.send(
    operation === 'Query' ? new QueryCommand(again) : new ScanCommand(again),
  )
  return ScannedCount
}

/** What one run of the operation calls, in any order. */
async function callsOf(stack: BillingStack, name: string, functionName: FunctionName): Promise<string[]> {
  await stack.emulator.advance(61)
  await stack.emulator.webhooks('deliver')
  await stack.emulator.flush()
  const run = await (more[name] ?? runs[name])?.(stack)
  if (run === undefined) throw new Error(`No run of ${name}`)
  await stack.emulator.webhooks('hold')
  await stack.emulator.clearRequests()
  stack.iam.forgetCalls()
  await run()
  const calls = stack.iam.calls().filter((call) => call.functionName === functionName)
  const charged = await Promise.all(calls.map((call) => chargedCall(stack, call)))
  const stripe = (await stack.emulator.requests()).filter(({ path }) => path.startsWith('/v1/'))
  return [...charged, ...stripe.map(({ method }) => `Stripe ${method}`)].sort()
}

describe('With a hundred times as many organizations', () => {
  const found = new Map<string, string[][]>()

  beforeAll(async () => {
    const { stack } = bed
    let from = 0
    for (const to of sizes) {
      await generateOrganizations(stack.client.info.dynamodb_endpoint, { from, to })
      from = to
      for (const [name, functionName] of operations) {
        found.set(name, [...(found.get(name) ?? []), await callsOf(stack, name, functionName)])
      }
    }
  })

  it.each(operations.map(([name]) => name))('%s calls the same, and reads and writes as much', (name) => {
    const [few = [], many] = found.get(name) ?? []
    expect(few.length).toBeGreaterThan(0)
    expect(many).toEqual(few)
  })
})
