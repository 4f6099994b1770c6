import { afterEach, describe, expect, it, jest } from '@jest/globals'
import { ApiError, NotSignedInError } from '../../../infra/client/src/errors.ts'
import { endedTokens, freshTokens, type Script, type Scripted, type ScriptedApi, scriptedApi } from './scriptedApi.ts'

let api: ScriptedApi | undefined

afterEach(async () => {
  jest.restoreAllMocks()
  await api?.close()
})

const me = '/api/users/me'
const token = '/api/oauth/token'
const user = { status: 200, body: { id: 'u', email: 'a@example.com' } }
const unauthorized = { status: 401, body: { detail: 'Unauthorized', code: 'invalid_token', request_id: 'r' } }
const next = { access_token: 'second', token_type: 'Bearer', expires_in: 900, refresh_token: 'refresh-2' }

/** An API that takes the token `second` only, and answers a refresh so. */
async function start(refresh: Script) {
  api = await scriptedApi((request, earlier) => {
    if (request.path === token) return refresh(request, earlier)
    return request.headers.authorization === 'Bearer second' ? user : unauthorized
  })
  return api
}

function oauthError(status: number, error: string, headers = {}): Scripted {
  const body = { error, error_description: 'No', detail: 'No', code: error, request_id: 'r' }
  return { status, body, headers }
}

describe('A call with an access token that has ended', () => {
  it('refreshes first; 20 at once refresh once', async () => {
    const { count, client: open } = await start(() => ({ status: 200, body: next }))
    const { client, tokenStore } = await open(endedTokens)
    const users = await Promise.all(Array.from({ length: 20 }, () => client.getCurrentUser()))
    expect(users.map(({ id }) => id)).toEqual(Array(20).fill('u'))
    expect([count(token), count(me)]).toEqual([1, 20])
    expect(await tokenStore.get()).toMatchObject({ accessToken: 'second', refreshToken: 'refresh-2' })
  })

  it('refreshes once for two tabs that share their tokens, where the browser has locks', async () => {
    const { count, client: open } = await start(() => ({ status: 200, body: next }))
    const { client, tokenStore } = await open(endedTokens)
    const { client: other } = await open(endedTokens, tokenStore)
    await Promise.all([client, other].flatMap((tab) => [tab.getCurrentUser(), tab.getCurrentUser()]))
    expect([count(token), count(me)]).toEqual([1, 4])
  })

  it('takes the tokens that another tab has refreshed', async () => {
    const { count, client: open } = await start(() => ({ status: 200, body: next }))
    const { client, tokenStore } = await open(endedTokens)
    await client.getCurrentUser()
    await tokenStore.set({ ...freshTokens, accessToken: 'second' })
    await client.getCurrentUser()
    expect(count(token)).toBe(1)
  })
})

describe('A call whose access token is refused', () => {
  it('refreshes and repeats once; 20 at once refresh once', async () => {
    const { count, client: open } = await start(() => ({ status: 200, body: next }))
    const { client } = await open()
    await Promise.all(Array.from({ length: 20 }, () => client.updateCurrentUser({ body: {} })))
    expect([count(token), count(me)]).toEqual([1, 40])
  })

  it('throws what it is answered then, and does not refresh again', async () => {
    const { count, client: open } = await start(() => ({ status: 200, body: { ...next, access_token: 'third' } }))
    const { client } = await open()
    await expect(client.getCurrentUser()).rejects.toMatchObject({ status: 401, code: 'invalid_token' })
    expect([count(token), count(me)]).toEqual([1, 2])
  })

  it('does not refresh where the user has to sign in again (RFC 9470)', async () => {
    const challenge = 'Bearer error="insufficient_user_authentication", max_age=600'
    api = await scriptedApi(() => ({ ...unauthorized, headers: { 'www-authenticate': challenge } }))
    const { client } = await api.client()
    await expect(client.getCurrentUser()).rejects.toMatchObject({ status: 401, challenge })
    expect(api.count(token)).toBe(0)
  })

  it.each([
    ['error="insufficient_user_authentication", max_age="600"', { max_age: '600' }],
    [
      'error="insufficient_user_authentication", error_description="Once more, please", max_age=600, acr_values="aal2 aal3"',
      { max_age: '600', acr_values: 'aal2 aal3' },
    ],
    ['error="invalid_token"', undefined],
  ])('says what sign-in is asked for by %s', async (challenge, stepUp) => {
    const headers = { 'www-authenticate': `Bearer ${challenge}` }
    api = await scriptedApi(({ path }) => (path === token ? { status: 200, body: next } : { ...unauthorized, headers }))
    const { client } = await api.client()
    const error = await client.getCurrentUser().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toHaveProperty('stepUp', stepUp)
  })
})

describe('A refresh', () => {
  it('that is refused with invalid_grant ends the sign-in', async () => {
    const { client: open } = await start(() => oauthError(400, 'invalid_grant'))
    const { client, tokenStore, ends } = await open(endedTokens)
    const calls = await Promise.allSettled([client.getCurrentUser(), client.getCurrentUser()])
    expect(calls.map((call) => call.status === 'rejected' && call.reason)).toEqual([
      expect.any(NotSignedInError),
      expect.any(NotSignedInError),
    ])
    expect(await tokenStore.get()).toBeUndefined()
    expect(ends.count).toBe(1)
    expect(await client.isSignedIn()).toBe(false)
  })

  it('that fails is sent again by itself only, not by the call that waits for it', async () => {
    const { count, client: open } = await start(() => oauthError(503, 'temporarily_unavailable'))
    const { client } = await open(endedTokens)
    jest.spyOn(Math, 'random').mockReturnValue(0)
    await expect(client.getCurrentUser()).rejects.toMatchObject({ status: 503 })
    expect([count(token), count(me)]).toEqual([4, 0])
  })

  it('goes on for the calls that wait for it, where the signal of one ends that one', async () => {
    const { count, client: open } = await start((_, { length }) =>
      length === 0 ? oauthError(503, 'temporarily_unavailable', { 'retry-after': '1' }) : { status: 200, body: next },
    )
    const { client } = await open(endedTokens)
    const calls = [client.getCurrentUser({ signal: AbortSignal.timeout(100) }), client.getCurrentUser()]
    const started = performance.now()
    await expect(calls[0]).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(performance.now() - started).toBeLessThan(900)
    expect(await calls[1]).toMatchObject({ id: 'u' })
    expect(count(token)).toBe(2)
  })

  it('that fails otherwise keeps the tokens', async () => {
    const { count, client: open } = await start(() => oauthError(500, 'server_error'))
    const { client, tokenStore, ends } = await open(endedTokens)
    const calls = [client.getCurrentUser(), client.getCurrentUser()]
    for (const call of calls) await expect(call).rejects.toMatchObject({ status: 500 })
    expect(count(token)).toBe(1)
    expect(await tokenStore.get()).toEqual(endedTokens)
    expect(ends.count).toBe(0)
  })

  it('is sent again where its answer was lost', async () => {
    const { count, client: open } = await start((_, earlier) =>
      earlier.length === 0 ? 'cut' : { status: 200, body: next },
    )
    const { client } = await open(endedTokens)
    expect(await client.updateCurrentUser({ body: {} })).toMatchObject({ id: 'u' })
    expect(count(token)).toBe(2)
  })

  it.each(['with', 'without'])(
    'that is under way when the user signs out does not sign them in again (a browser %s locks)',
    async (kind) => {
      if (kind === 'without') jest.replaceProperty(globalThis, 'navigator', Object.create(null))
      let leaving: Promise<string | undefined> | undefined
      const { client: open } = await start(() => {
        leaving = client.signOut()
        return { status: 200, body: next }
      })
      const { client, tokenStore } = await open(endedTokens)
      await client.getCurrentUser()
      expect(await leaving).toContain('/api/oauth/logout?client_id=console')
      expect(await tokenStore.get()).toBeUndefined()
    },
  )

  it('cannot be without a refresh token: the sign-in ends', async () => {
    const { count, client: open } = await start(() => ({ status: 200, body: next }))
    const { client, ends } = await open({ accessToken: 'first', expiresAt: 0 })
    await expect(client.getCurrentUser()).rejects.toThrow(NotSignedInError)
    expect([count(token), ends.count]).toEqual([0, 1])
  })
})
