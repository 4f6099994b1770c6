import { describe, expect, it } from '@jest/globals'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { queryOf, registerClient } from '../authorize/people.ts'
import { refusal, requestToken } from '../token/tokenRequests.ts'
import { PARTNER_SCOPE, visitsOf } from './sessionVisits.ts'

const stack = useAccountsStack()
const { visit, visitBeside, coded, granted, call, consents, list, seen } = visitsOf(stack)

const live = [200, 200]
const ended = [401, 400]

describe('GET /api/users/me/consents', () => {
  it('lists what the user has allowed, by client, and not the operator’s own clients, which are not asked for', async () => {
    const { partner, visitor, mine } = await visitBeside()
    expect(await consents(mine)).toEqual([])
    await granted(visitor, partner)
    const granted_at = expect.stringMatching(/^2026-11-20T08:0\d:\d\dZ$/)
    const client_id = partner.clientId
    expect(await consents(mine)).toEqual([{ client_id, name: 'Partner', scopes: PARTNER_SCOPE.split(' '), granted_at }])
    expect(await consents((await visitBeside()).mine)).toEqual([])
  })

  it('names a client that does not exist any more by its id, and the scopes one by one', async () => {
    const { partner, visitor, mine } = await visitBeside()
    await granted(visitor, partner, { scope: 'profile' })
    await stack().clients.put({ ...partner, name: '' })
    expect(await consents(mine)).toMatchObject([{ name: partner.clientId, scopes: ['profile'] }])
  })
})

describe('DELETE /api/users/me/consents/{client_id}', () => {
  // [asvs 10.7.3]
  it('ends every grant of the client at once, codes too, asks the user again, and changes nothing else', async () => {
    const { own, partner, user, visitor, mine } = await visitBeside()
    const elsewhere = await visit(own, user)
    const theirs = [await granted(visitor, partner), await granted(elsewhere.visitor, partner)]
    const code = await coded(visitor, partner)
    const other = await registerClient(stack())
    const kept = await granted(visitor, other)
    const stranger = await visitBeside()
    const strangers = await granted(stranger.visitor, partner)
    const path = `/consents/${partner.clientId}`
    expect(await call('DELETE', path, mine)).toMatchObject({ status: 204, text: '' })
    for (const tokens of theirs) expect(await seen(tokens)).toEqual(ended)
    expect(await requestToken(stack(), code)).toMatchObject(refusal('invalid_grant'))
    expect((await visitor.get(queryOf(partner))).status).toBe(200)
    for (const tokens of [mine, kept, strangers]) expect(await seen(tokens)).toEqual(live)
    expect((await consents(mine)).map(({ client_id }) => client_id)).toEqual([other.clientId])
    expect((await list(mine)).map(({ client }) => client).toSorted()).toEqual(['Console', 'Console', 'House console'])
    expect(await call('DELETE', path, mine)).toMatchObject({ status: 404, body: { code: 'consent_not_found' } })
    expect(await seen(await granted(visitor, partner))).toEqual(live)
  })

  it('answers 404 for a client without consent, and 422 for what is no id of a client', async () => {
    const { mine } = await visitBeside()
    expect((await call('DELETE', '/consents/no-such-client', mine)).status).toBe(404)
    expect((await call('DELETE', '/consents/a%20b', mine)).status).toBe(422)
    expect(await seen(mine)).toEqual(live)
  })
})
