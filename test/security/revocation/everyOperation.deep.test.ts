import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import * as z from 'zod'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { localClient } from '../../../infra/local/localClient.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { carriesToken, type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { createRefreshTokens } from '../../../lib/adapters/dynamodb/refreshTokenStore.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorText, maskRequestId } from '../../support/errorBody.ts'

const bed = useBillingStack()
const rows: readonly FunctionRow[] = manifest.filter(carriesToken)

function accounts() {
  const { documents } = bed.stack
  const { tables } = bed.stack.client.info
  const update = (userId: string, UpdateExpression: string, values: Record<string, unknown>) =>
    documents.send(
      new UpdateCommand({
        TableName: tables.accounts,
        Key: { pk: `USER#${userId}`, sk: 'USER' },
        UpdateExpression,
        ExpressionAttributeValues: values,
      }),
    )
  return { update, refreshTokens: createRefreshTokens(documents, tables.accounts) }
}

const claims = z.object({ sub: z.string(), sid: z.string() })
type Claims = z.infer<typeof claims>

/** Each way in which a grant ends, and how its user gets other ones again. */
const endings: Readonly<
  Record<string, { end: (grant: Claims) => Promise<unknown>; undo?: (grant: Claims) => Promise<unknown> }>
> = {
  'the account is switched off': {
    end: async ({ sub }) => accounts().update(sub, 'SET isActive = :is', { ':is': false }),
    undo: async ({ sub }) => accounts().update(sub, 'SET isActive = :is', { ':is': true }),
  },
  'the account has a later revision': {
    end: async ({ sub }) => accounts().update(sub, 'ADD securityRev :by', { ':by': 1 }),
    undo: async ({ sub }) => accounts().update(sub, 'ADD securityRev :by', { ':by': -1 }),
  },
  'the family was revoked': {
    end: async ({ sid }) => accounts().refreshTokens.revokeFamily({ familyId: sid, now: 0 }),
  },
}

const event = z.looseObject({ headers: z.looseObject({ authorization: z.string() }) })
const result = z.object({ statusCode: z.number(), headers: z.record(z.string(), z.unknown()), body: z.string() })

/** The event that is served, with a token of its own: clients keep theirs for a while. */
function eventOf({ name, samples }: FunctionRow) {
  return fillSampleEvent(localClient(bed.stack.client.info), name, samples.served)
}

const mailsSent = async () => (await fetch(`${bed.stack.client.info.base_url}/_local/mail.json`)).text()

describe.each(rows.map((row) => [row.name, row] as const))('A request to %s', (_, row) => {
  let sample: Awaited<ReturnType<typeof eventOf>>
  beforeAll(async () => {
    sample = await eventOf(row)
    await bed.stack.emulator.flush()
    bed.stack.dynamoDb.reset()
    await bed.stack.emulator.clearRequests()
  })

  it('is answered 503 while the store is unavailable: no grant is taken for live', async () => {
    const { stack } = bed
    stack.dynamoDb.fail({ operation: 'BatchGetItem', times: 99, kind: 'drop_before' })
    const answer = result.parse(await invokeFunction(row, sample.event))
    stack.dynamoDb.reset()
    expect(answer.statusCode).toBe(503)
    expect(await stack.emulator.requests()).toEqual([])
  })

  // [asvs 7.4.1 7.4.2] [threat 15.1]
  it('is answered 401 if its grant has ended, and writes, sends and calls nothing', async () => {
    const { stack } = bed
    const { headers } = event.parse(sample.event)
    const grant = claims.parse(decodeJwt(headers.authorization.replace('Bearer ', '')))
    const mails = await mailsSent()
    for (const [why, { end, undo }] of Object.entries(endings)) {
      await end(grant)
      stack.dynamoDb.reset()
      const answer = result.parse(await invokeFunction(row, sample.event))
      expect([why, answer.statusCode, maskRequestId(answer.body)]).toEqual([
        why,
        401,
        errorText('Unauthorized', 'invalid_token'),
      ])
      expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
      expect(stack.writes()).toEqual([])
      expect(await stack.emulator.requests()).toEqual([])
      expect(await mailsSent()).toBe(mails)
      await undo?.(grant)
    }
  })
})
