import { describe, expect, it } from '@jest/globals'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { formToken } from '../../../lib/http/security/formProtection.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { addTotp } from '../../signIn/secondFactor/people.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { queryOf, registerClient, signInAt } from '../authorize/people.ts'
import { Visitor } from '../authorize/visitor.ts'
import { refusal, requestToken, tokensIn } from '../token/tokenRequests.ts'
import { FIREFOX, visitsOf } from './sessionVisits.ts'

const stack = useAccountsStack()
const { house, visit, coded, granted, call, list, ownId, seen, isSignedIn, signInAgain } = visitsOf(stack)

const live = [200, 200]
const ended = [401, 400]

describe('GET /api/users/me/sessions', () => {
  it('lists a browser and what first-party clients got in it as one session, and what another client got as one by itself', async () => {
    const [own, other] = [await house(), await registerClient(stack(), { name: 'Partner' })]
    const { visitor } = await visit(own)
    const mine = await granted(visitor, own)
    await granted(visitor, own)
    stack().advance(60)
    await granted(visitor, other)
    const at = expect.stringMatching(/^2026-11-20T08:0\d:\d\dZ$/)
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const browser = 'Firefox on Linux'
    expect(await list(mine)).toEqual([
      { id, client: 'Partner', browser, created_at: at, last_used_at: at, current: false },
      { id, client: 'House console', browser, created_at: at, last_used_at: at, current: true },
    ])
  })

  it('says when each was used last, to the hour, and which one asks', async () => {
    const own = await house()
    const one = await visit(own)
    const mine = await granted(one.visitor, own)
    stack().advance(10)
    const two = await visit(own, one.user)
    const theirs = await granted(two.visitor, own)
    expect((await list(mine)).map(({ current }) => current)).toEqual([false, true])
    const ago = (time = '') => Math.abs(Math.round((stack().clock.now() - Date.parse(time)) / 10_000) * 10)
    const used = async (by: { access_token: string }) =>
      (await list(by)).map(({ current, ...times }) => [current, ago(times.last_used_at)])
    stack().advance(60)
    const { refresh_token } = tokensIn(await requestToken(stack(), mine.refresh))
    expect(await used(theirs)).toEqual([
      [true, 60],
      [false, 70],
    ])
    stack().advance(3540)
    const later = tokensIn(await requestToken(stack(), { ...mine.refresh, refresh_token }))
    expect(await used(later)).toEqual([
      [true, 0],
      [false, 3600],
    ])
    expect((await list(later)).map(({ created_at }) => ago(created_at))).toEqual([3610, 3600])
  })

  it('names this service for a browser in which no client has tokens, and no browser that it does not know', async () => {
    const own = await house()
    const { user, visitor } = await visit(own)
    const mine = await granted(visitor, own)
    await visit(own, user, 'Mozilla/5.0 <b>click here</b>/1.0')
    await visit(own, user, 'a'.repeat(600))
    const names = (await list(mine)).filter(({ current }) => !current).map(({ client, browser }) => [client, browser])
    expect(names).toEqual([
      ['Console', null],
      ['Console', null],
    ])
  })

  it('is one session still after signing in again in the same browser, and a new one after the cookie is gone', async () => {
    const own = await house()
    const { user, visitor } = await visit(own)
    const mine = await granted(visitor, own)
    const id = await ownId(mine)
    await signInAgain(visitor, own, user.email)
    const next = await granted(visitor, own)
    expect((await list(next)).map((session) => session.id)).toEqual([id])
    visitor.cookie = undefined
    await signInAgain(visitor, own, user.email)
    expect(await list(next)).toHaveLength(2)
  })

  it('leaves out what has expired, was revoked, or was signed out at the hosted pages', async () => {
    const [own, other] = [await house(), await registerClient(stack(), { grantTypes: ['authorization_code'] })]
    const { user, visitor } = await visit(own)
    const mine = await granted(visitor, own)
    await granted(visitor, other)
    expect(await list(mine)).toHaveLength(2)
    stack().advance(960)
    const next = await granted(visitor, own)
    expect((await list(next)).map(({ client }) => client)).toEqual(['House console'])

    const elsewhere = await visit(own, user)
    const { refresh } = await granted(elsewhere.visitor, own)
    const { refresh_token: token, client_id, client_secret } = refresh
    const body = new URLSearchParams({ token, client_id, client_secret })
    await fetch(`${stack().baseUrl}/api/oauth/revoke`, { method: 'POST', body })
    await stack().sessions.end(digestSecret(elsewhere.visitor.cookie?.split('=')[1] ?? ''))
    expect(await list(next)).toHaveLength(1)
    // More than twelve hours after the sign-in, and than thirty days after the last exchange.
    stack().advance(30 * 24 * 3600 + 60)
    const late = await visit(own, user)
    expect(await list(await granted(late.visitor, own))).toHaveLength(1)
  })

  it('holds no secret, no digest and no address', async () => {
    const own = await house()
    const { visitor } = await visit(own)
    const mine = await granted(visitor, own)
    const { text } = await call('GET', '/sessions', mine)
    const secrets = [visitor.cookie?.split('=')[1] ?? '', mine.refresh.refresh_token]
    for (const secret of secrets.flatMap((one) => [one, digestSecret(one)])) expect(text).not.toContain(secret)
    expect(text).not.toContain('127.0.0.1')
    const listed = (await stack().stored()).filter(({ sk }) => String(sk).startsWith('SESSION#'))
    expect(JSON.stringify(listed)).not.toContain('127.0.0.1')
    expect(JSON.stringify(listed)).not.toContain(FIREFOX)
  })
})

describe('DELETE /api/users/me/sessions/{id}', () => {
  // [asvs 7.5.2]
  it('ends the browser’s cookie and what first-party clients got in it at once, codes too, and nothing else', async () => {
    const [own, other] = [await house(), await registerClient(stack())]
    const { user, visitor } = await visit(own)
    const [lost, kept] = [await granted(visitor, own), await granted(visitor, other)]
    const code = await coded(visitor, own)
    const mine = await granted((await visit(own, user)).visitor, own)
    const path = `/sessions/${await ownId(lost)}`
    expect(await call('DELETE', path, mine)).toMatchObject({ status: 204, text: '' })
    expect(await seen(lost)).toEqual(ended)
    expect(await requestToken(stack(), code)).toMatchObject(refusal('invalid_grant'))
    expect(await isSignedIn(visitor, own)).toBe(false)
    expect(await seen(kept)).toEqual(live)
    expect(await seen(mine)).toEqual(live)
    expect(await list(mine)).toHaveLength(2)
    expect(await call('DELETE', path, mine)).toMatchObject({ status: 404, body: { code: 'session_not_found' } })
  })

  // [asvs 10.4.9]
  it('ends what another client got by itself, and leaves the browser signed in', async () => {
    const [own, other] = [await house(), await registerClient(stack())]
    const { visitor } = await visit(own)
    const [mine, theirs] = [await granted(visitor, own), await granted(visitor, other)]
    const [{ id } = { id: '' }] = (await list(mine)).filter(({ current }) => !current)
    expect((await call('DELETE', `/sessions/${id}`, mine)).status).toBe(204)
    expect(await seen(theirs)).toEqual(ended)
    expect(await seen(mine)).toEqual(live)
    expect(await isSignedIn(visitor, own)).toBe(true)
  })

  // [catch writeItem.updateItem]
  it('answers 404 to another user’s session as to an unknown one, and ends nothing', async () => {
    const own = await house()
    const mine = await granted((await visit(own)).visitor, own)
    const theirs = await granted((await visit(own)).visitor, own)
    const answers = [await ownId(theirs), stack().ids.uuid()].map((id) => call('DELETE', `/sessions/${id}`, mine))
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'session_not_found', detail: 'Session not found' } })
    }
    expect(await seen(theirs)).toEqual(live)
  })
})

describe('The page of authenticators, after the first second factor', () => {
  it('signs out what began without it: other browsers, and what clients got, but not this browser', async () => {
    const [own, other] = [await house(), await registerClient(stack())]
    const { user, visitor } = await visit(own)
    const mine = await granted(visitor, own)
    const before = await visit(own, user)
    const without = [await granted(before.visitor, own), await granted(visitor, other)]
    stack().advance(60)
    const { code } = await addTotp(stack(), userIdSchema.parse(user.id))
    const show = async (by: Visitor) => {
      const query = queryOf(own, { prompt: 'login' })
      await signInAt(by, query, user.email)
      await by.submit(query, await by.get(query), 'second_factor', { fields: { factor: 'totp', proof: code() } })
    }
    const after = new Visitor(stack().baseUrl)
    await show(after)
    stack().advance(60)
    await show(visitor)
    const csrf = formToken(visitor.cookie?.split('=')[1] ?? '')
    const answer = await fetch(`${stack().baseUrl}/api/account/security`, {
      method: 'POST',
      body: new URLSearchParams({ action: 'end_sessions', csrf }),
      headers: visitor.cookieHeader,
      redirect: 'manual',
    })
    expect(answer.headers.get('location')).toContain('done=sessions_ended')
    for (const tokens of without) expect(await seen(tokens)).toEqual(ended)
    expect(await Promise.all([before.visitor, after, visitor].map((one) => isSignedIn(one, own)))).toEqual([
      false,
      true,
      true,
    ])
    expect(await seen(mine)).toEqual(live)
  })
})

describe('DELETE /api/users/me/sessions', () => {
  it('ends every session and every token of the user, this one included, and of no other user', async () => {
    const [own, other] = [await house(), await registerClient(stack())]
    const { user, visitor } = await visit(own)
    const all = [
      await granted(visitor, own),
      await granted(visitor, other),
      await granted((await visit(own, user)).visitor, own),
    ]
    const code = await coded(visitor, own)
    const stranger = await granted((await visit(own)).visitor, own)
    const [mine] = all
    expect(await call('DELETE', '/sessions', mine ?? stranger)).toMatchObject({ status: 204, text: '' })
    for (const tokens of all) expect(await seen(tokens)).toEqual(ended)
    expect(await requestToken(stack(), code)).toMatchObject(refusal('invalid_grant'))
    expect(await isSignedIn(visitor, own)).toBe(false)
    expect(await seen(stranger)).toEqual(live)
    const again = await granted((await visit(own, user)).visitor, own)
    expect(await list(again)).toHaveLength(1)
  })
})
