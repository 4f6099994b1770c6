import { beforeAll, describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import * as z from 'zod'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { carriesToken, type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { loadContract } from '../../../infra/openapi/document.ts'
import { scopes } from '../../../lib/core/scopes.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorText, maskRequestId } from '../../support/errorBody.ts'
import { openPartner } from './partnerTokens.ts'

const bed = useBillingStack()
let partnerToken: Awaited<ReturnType<typeof openPartner>>
beforeAll(async () => {
  partnerToken = await openPartner(bed.stack.client.info)
})

const rows: readonly FunctionRow[] = manifest.filter(carriesToken)
const event = z.looseObject({ headers: z.looseObject({ authorization: z.string() }) })
const claims = z.object({ sub: z.string() })
const result = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.unknown()),
  body: z.string().default(''),
})

/** Sends the sample that is served, as the same user from a client that is not the operator's own, with tokens of the scopes it is given. */
async function senderOf(row: FunctionRow) {
  const { event: filled } = await fillSampleEvent(bed.stack.client, row.name, row.samples.served)
  const { headers } = event.parse(filled)
  const { sub } = claims.parse(decodeJwt(headers.authorization.replace('Bearer ', '')))
  await bed.stack.emulator.flush()
  return async (scope: string) => {
    const authorization = `Bearer ${await partnerToken(sub, scope)}`
    bed.stack.dynamoDb.reset()
    return result.parse(
      await invokeFunction(row, Object.assign({}, filled, { headers: { ...headers, authorization } })),
    )
  }
}

describe('A client that is not the operator’s own', () => {
  // [asvs 10.3.2]
  it.each(rows.map((row) => [row.name, row] as const))(
    'calls %s only with a token that was granted all of its scope',
    async (_, row) => {
      const wanted = (await loadContract(row)).scope
      const send = await senderOf(row)
      const needed = wanted?.split(' ') ?? []
      const others = scopes.filter((scope) => !needed.includes(scope))
      // Every scope that is not needed, all but one that is, and none.
      const partly = needed.length > 1 ? needed.map((left) => scopes.filter((scope) => scope !== left).join(' ')) : []
      const tooFew = [others.join(' '), ...partly, '']
      for (const scope of tooFew) {
        const answer = await send(scope)
        const text = errorText('The access token was not granted the scope of this operation', 'insufficient_scope')
        expect([scope, answer.statusCode, maskRequestId(answer.body)]).toEqual([scope, 403, text])
        const challenge = `Bearer error="insufficient_scope"${wanted === undefined ? '' : `, scope="${wanted}"`}`
        expect(answer.headers['www-authenticate']).toBe(challenge)
        expect(bed.stack.dynamoDb.calls()).toEqual([])
      }
      const enough = await send(wanted ?? scopes.join(' '))
      if (wanted === undefined) expect(enough.statusCode).toBe(403)
      else expect([row.name, enough.statusCode < 300]).toEqual([row.name, true])
    },
  )

  it('is refused by what changes an account, a membership or an organization, and by what owners alone see', async () => {
    const unscoped = await Promise.all(
      rows.map(async (row) => ((await loadContract(row)).scope === undefined ? row.name : undefined)),
    )
    const named = unscoped.filter((name) => name !== undefined)
    expect(named).toEqual(expect.arrayContaining(['users-me-update', 'organizations-invite', 'organizations-transfer']))
    expect(named.filter((name) => name.startsWith('billing-'))).toEqual([])
  })
})
