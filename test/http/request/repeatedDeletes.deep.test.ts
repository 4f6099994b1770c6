import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { invokeFunction, type LambdaEvent } from '../../../infra/local/invokeFunction.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { result, servedEvent } from '../../security/stepUp/stepUpOperations.ts'
import { useBillingStack } from '../../support/billingStack.ts'

const bed = useBillingStack()
const rows: readonly FunctionRow[] = manifest
const deletes = rows.flatMap((row) =>
  row.trigger.kind === 'http' && row.trigger.method === 'DELETE' ? [{ row, path: row.trigger.path }] : [],
)
const withParameters = z.looseObject({ pathParameters: z.record(z.string(), z.string()) })

/** What a second DELETE is answered if it is not 404. */
const exceptions: Readonly<Record<string, number>> = {
  // It is there until it is erased.
  'organizations-delete': 202,
  // These end the token of the request itself: the samples name their own session and their own client.
  'users-me-delete': 401,
  'users-me-sessions-end': 401,
  'users-me-session-end': 401,
  'users-me-consent-withdraw': 401,
}

async function statusOf(row: FunctionRow, event: unknown): Promise<number> {
  return result.parse(await invokeFunction(row, z.custom<LambdaEvent>().parse(event))).statusCode
}

describe('DELETE', () => {
  it.each(deletes.map(({ row }) => [row.name, row] as const))('of what is no longer there: %s', async (name, row) => {
    const { event, expectedStatus } = await servedEvent(bed.stack, row)
    expect(await statusOf(row, event)).toBe(expectedStatus)
    expect(await statusOf(row, event)).toBe(exceptions[name] ?? 404)
  })

  const ofThings = deletes.filter(({ path }) => path.endsWith('}'))

  it.each(ofThings.map(({ row }) => [row.name, row] as const))('of what never was is 404: %s', async (_, row) => {
    const { event } = await servedEvent(bed.stack, row)
    const { pathParameters } = withParameters.parse(event)
    const [name = '', id = ''] = Object.entries(pathParameters).at(-1) ?? []
    // An id of the same form: its digits are drawn at random.
    const unknown = id.replaceAll(/[0-9a-f]/g, (digit) => (digit === '0' ? '1' : '0'))
    expect(await statusOf(row, { ...event, pathParameters: { ...pathParameters, [name]: unknown } })).toBe(404)
  })

  it('is tried with every operation', () => {
    expect(deletes.length).toBeGreaterThanOrEqual(10)
    for (const name of Object.keys(exceptions)) expect(deletes.map(({ row }) => row.name)).toContain(name)
  })
})
