import { describe, expect, it } from '@jest/globals'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { race } from '../../support/race.ts'
import { refusal, requestToken, tokensIn } from '../token/tokenRequests.ts'
import { visitsOf } from './sessionVisits.ts'

const stack = useAccountsStack()
const { visitBeside, coded, granted, call, consents, seen } = visitsOf(stack)

const ended = [401, 400]

describe('DELETE /api/users/me/consents/{client_id}', () => {
  it('lets none of many exchanges and refreshes at the same time outlive it', async () => {
    const { partner, visitor, mine } = await visitBeside()
    const all = await race(() => granted(visitor, partner))
    const codes = await race(() => coded(visitor, partner))
    const requests = [...all.map(({ refresh }) => refresh), ...codes]
    const answers = requests.map((request) => requestToken(stack(), request))
    expect((await call('DELETE', `/consents/${partner.clientId}`, mine)).status).toBe(204)
    const refresh = { ...all[0]?.refresh, grant_type: 'refresh_token' }
    for (const answer of await Promise.all(answers)) {
      if (answer.status !== 200) continue
      const { access_token, refresh_token } = tokensIn(answer)
      expect((await call('GET', '', { access_token })).status).toBe(401)
      expect(await requestToken(stack(), { ...refresh, refresh_token })).toMatchObject(refusal('invalid_grant'))
    }
  })

  it('ends all of it once it is sent again, wherever the store failed before', async () => {
    const { partner, visitor, mine } = await visitBeside()
    const path = `/consents/${partner.clientId}`
    for (const operation of ['BatchGetItem', 'DeleteItem', 'Query', 'PutItem']) {
      for (const kind of ['drop_before', 'drop_after'] as const) {
        const all = [await granted(visitor, partner), await granted(visitor, partner)]
        stack().database.fail({ operation, times: 99, kind })
        const { status } = await call('DELETE', path, mine)
        stack().database.reset()
        expect([operation, kind, status]).toEqual([operation, kind, 503])
        expect([204, 404]).toContain((await call('DELETE', path, mine)).status)
        for (const tokens of all) expect(await seen(tokens)).toEqual(ended)
        expect(await consents(mine)).toEqual([])
      }
    }
  })
})
