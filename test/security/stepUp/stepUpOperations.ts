import { expect } from '@jest/globals'
import * as z from 'zod/mini'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { carriesToken, type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { loadContract } from '../../../infra/openapi/document.ts'
import type { BillingStack } from '../../support/billingStack.ts'

const rows: readonly FunctionRow[] = manifest.filter(carriesToken)
const operations = await Promise.all(rows.map(async (row) => ({ row, contract: await loadContract(row) })))
/** The operations that ask for a recent sign-in. */
export const flagged = operations.filter(({ contract }) => contract.recentSignIn !== undefined)
/** Those that do not. */
export const servedWithout = operations
  .filter(({ contract }) => contract.recentSignIn === undefined)
  .map(({ row }) => [row.name, row] as const)

/** Longer than a sign-in is recent, and shorter than a token lives. */
export const TOO_LONG = 601

export const result = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.unknown()),
  body: z._default(z.string(), ''),
})

/** The event that is served, with a token of its own. */
export function servedEvent({ client }: BillingStack, { name, samples }: FunctionRow) {
  return fillSampleEvent(localClient(client.info), name, samples.served)
}

/** Expects that a function serves a request whose sign-in is not recent. */
export async function expectServed(stack: BillingStack, row: FunctionRow): Promise<void> {
  const { event, expectedStatus } = await servedEvent(stack, row)
  await stack.emulator.advance(TOO_LONG)
  expect(result.parse(await invokeFunction(row, event)).statusCode).toBe(expectedStatus)
}
