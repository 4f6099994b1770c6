import { describe, expect, it } from '@jest/globals'
import { byPassword } from '../../../lib/core/authentication.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { digestSecret, type SecretDigest } from '../../../lib/oauth/secretDigest.ts'
import { startSession } from '../../../lib/oauth/session/session.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { race } from '../../support/race.ts'
import { Visitor } from '../authorize/visitor.ts'
import { requestToken, tokensIn } from '../token/tokenRequests.ts'
import { FIREFOX, visitsOf } from './sessionVisits.ts'

const stack = useAccountsStack()
const { house, visit, coded, granted, call, list, ownId, seen, isSignedIn } = visitsOf(stack)

const ended = [401, 400]

describe('DELETE /api/users/me/sessions/{id}', () => {
  it('ends every sign-in of that browser, also where two took place at once', async () => {
    const own = await house()
    const { user, visitor } = await visit(own)
    const mine = await granted((await visit(own, user)).visitor, own)
    const id = await ownId(await granted(visitor, own))
    const [name = '', replaces] = visitor.cookie?.split('=') ?? []
    const tabs = [new Visitor(stack().baseUrl), new Visitor(stack().baseUrl)]
    const bothHaveRead = Promise.withResolvers<void>()
    let reads = 0
    const sessions = {
      ...stack().sessions,
      find: async (digest: SecretDigest) => {
        const found = await stack().sessions.find(digest)
        reads += 1
        if (reads === tabs.length) bothHaveRead.resolve()
        await bothHaveRead.promise
        return found
      },
    }
    const deps = { ...stack(), sessions }
    const authentication = { at: stack().clock.now(), methods: byPassword }
    const signIn = {
      userId: userIdSchema.parse(user.id),
      securityRev: 0,
      authentication,
      signedInFor: undefined,
      browser: FIREFOX,
      replaces: replaces === undefined ? undefined : digestSecret(replaces),
    }
    const secrets = await Promise.all(tabs.map(() => startSession(deps, signIn)))
    for (const [at, tab] of tabs.entries()) tab.cookie = `${name}=${secrets[at]}`
    expect((await list(mine)).filter(({ current }) => !current)).toEqual([expect.objectContaining({ id })])
    for (const tab of tabs) expect(await isSignedIn(tab, own)).toBe(true)
    expect((await call('DELETE', `/sessions/${id}`, mine)).status).toBe(204)
    for (const tab of tabs) expect(await isSignedIn(tab, own)).toBe(false)
  })

  it('lets none of many refreshes at the same time outlive it', async () => {
    const own = await house()
    const { user, visitor } = await visit(own)
    const mine = await granted((await visit(own, user)).visitor, own)
    const all = await race(() => granted(visitor, own))
    const path = `/sessions/${await ownId(all[0] ?? mine)}`
    const refreshes = all.map(async ({ refresh }) => ({ refresh, answer: await requestToken(stack(), refresh) }))
    expect((await call('DELETE', path, mine)).status).toBe(204)
    for (const { refresh, answer } of await Promise.all(refreshes)) {
      const { refresh_token } = answer.status === 200 ? tokensIn(answer) : refresh
      expect((await requestToken(stack(), { ...refresh, refresh_token })).status).toBe(400)
      if (answer.status === 200) expect((await call('GET', '', tokensIn(answer))).status).toBe(401)
    }
  })

  it('lets none of many exchanges at the same time outlive it', async () => {
    const own = await house()
    const { user, visitor } = await visit(own)
    const mine = await granted((await visit(own, user)).visitor, own)
    const id = await ownId(await granted(visitor, own))
    const codes = await race(() => coded(visitor, own))
    const exchanges = codes.map((code) => requestToken(stack(), code))
    expect((await call('DELETE', `/sessions/${id}`, mine)).status).toBe(204)
    for (const answer of await Promise.all(exchanges)) {
      if (answer.status === 200) expect((await call('GET', '', tokensIn(answer))).status).toBe(401)
    }
    expect((await list(mine)).map(({ current }) => current)).toEqual([true])
  })

  it('ends all of it once it is sent again, wherever the store failed before', async () => {
    const own = await house()
    const { user, visitor: mineIn } = await visit(own)
    const mine = await granted(mineIn, own)
    for (const operation of ['BatchGetItem', 'UpdateItem', 'Query', 'PutItem', 'DeleteItem']) {
      for (const kind of ['drop_before', 'drop_after'] as const) {
        const { visitor } = await visit(own, user)
        const [one, two] = [await granted(visitor, own), await granted(visitor, own)]
        const path = `/sessions/${await ownId(one)}`
        stack().database.fail({ operation, times: 99, kind })
        const { status } = await call('DELETE', path, mine)
        stack().database.reset()
        // The count of requests, which is an update too, lets a request pass when it cannot be made.
        expect([operation, kind, status]).toEqual([operation, kind, 503])
        expect([204, 404]).toContain((await call('DELETE', path, mine)).status)
        for (const tokens of [one, two]) expect(await seen(tokens)).toEqual(ended)
        expect(await isSignedIn(visitor, own)).toBe(false)
        expect(await list(mine)).toHaveLength(1)
      }
    }
  })
})

describe('DELETE /api/users/me/sessions', () => {
  it('lets none of many refreshes at the same time outlive it', async () => {
    const own = await house()
    const { visitor } = await visit(own)
    const all = await race(() => granted(visitor, own))
    const mine = await granted(visitor, own)
    const refreshes = all.map(async ({ refresh }) => ({ refresh, answer: await requestToken(stack(), refresh) }))
    expect((await call('DELETE', '/sessions', mine)).status).toBe(204)
    for (const { refresh, answer } of await Promise.all(refreshes)) {
      const { refresh_token } = answer.status === 200 ? tokensIn(answer) : refresh
      expect((await requestToken(stack(), { ...refresh, refresh_token })).status).toBe(400)
    }
  })
})
