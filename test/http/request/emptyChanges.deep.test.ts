import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { invokeFunction, type LambdaEvent } from '../../../infra/local/invokeFunction.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { result, servedEvent } from '../../security/stepUp/stepUpOperations.ts'
import { useBillingStack } from '../../support/billingStack.ts'

const bed = useBillingStack()
const rows: readonly FunctionRow[] = manifest
const changes = rows.filter(({ trigger }) => trigger.kind === 'http' && trigger.method === 'PATCH')

describe('PATCH with {}', () => {
  it.each(changes.map((row) => [row.name, row] as const))('changes nothing: %s is 200', async (_, row) => {
    const { event } = await servedEvent(bed.stack, row)
    const empty = z.custom<LambdaEvent>().parse({ ...event, body: '{}' })
    bed.stack.dynamoDb.reset()
    expect(result.parse(await invokeFunction(row, empty))).toMatchObject({ statusCode: 200 })
    expect(bed.stack.writes()).toEqual([])
  })

  it('is tried with every PATCH', () => {
    expect(changes.length).toBeGreaterThanOrEqual(7)
  })
})
