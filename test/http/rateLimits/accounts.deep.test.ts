import { describe, expect, it } from '@jest/globals'
import {
  issueCode,
  type Registered,
  register,
  requestToken,
  signIn,
  tokensIn,
} from '../../oauth/token/tokenRequests.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { call } from '../call.ts'
import { inTurns } from './inTurns.ts'
import { limitOf } from './limitOf.ts'

process.env.RATE_LIMITS = 'on'
const stack = useAccountsStack()

const countOf = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length
const operations = () =>
  stack()
    .database.calls()
    .map(({ operation }) => operation)

/** A signed-in user and how to call the API as them. */
async function signedIn() {
  const registered = await register(stack())
  const { tokens } = await signIn(stack(), registered)
  const send = async (method: 'GET' | 'PATCH', body?: string, token = tokens.access_token) => {
    const response = await fetch(`${stack().baseUrl}/api/users/me`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  return { ...registered, send }
}

/** The service's clock runs on within the second that the other one shows. */
const FOLLOWED_SECONDS = 3

/** Advances the clock, which does not run by itself, to the beginning of the next minute. */
function nextWindow() {
  stack().advance(60 - ((stack().clock.now() / 1000) % 60))
}

describe('GET /api/users/me', () => {
  const requests = limitOf('users-me')

  // [asvs 2.4.1]
  it('answers 200 to as many requests of a burst as the limit allows, and 429 to the others until the next window', async () => {
    nextWindow()
    stack().advance(20)
    const { send, userId } = await signedIn()
    const answers = await inTurns(requests + 30, () => send('GET'))
    expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([requests, 30])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toEqual(errorBody('Too many requests', 'rate_limited'))
    expect(Object.fromEntries(refused?.headers ?? [])).toMatchObject({
      // The clock runs on within the second that it shows.
      'retry-after': expect.stringMatching(/^(39|40)$/),
      'content-type': 'application/json',
      'cache-control': 'no-store',
    })

    stack().advance(39)
    expect((await send('GET')).status).toBe(429)
    stack().advance(FOLLOWED_SECONDS)
    expect(await send('GET')).toMatchObject({ status: 200, body: { id: userId } })
  })

  it('limits each user and each function by itself, and answers 401 to an invalid token before 429', async () => {
    const [me, other] = [await signedIn(), await signedIn()]
    await inTurns(requests, () => me.send('GET'))
    expect((await me.send('GET')).status).toBe(429)
    expect((await other.send('GET')).status).toBe(200)
    expect((await me.send('PATCH', '{}')).status).toBe(200)
    expect((await me.send('GET', undefined, 'forged')).status).toBe(401)
  })

  // [asvs 16.5.2]
  it('answers 200 while requests cannot be counted', async () => {
    const { send, userId } = await signedIn()
    stack().database.fail({ operation: 'UpdateItem', times: 3, kind: 'drop_before' })
    expect(await send('GET')).toMatchObject({ status: 200, body: { id: userId } })
    expect(stack().logged()).toContain('Rate limit not checked')
  })
})

describe('PATCH /api/users/me', () => {
  const requests = limitOf('users-me-update')

  // [asvs 2.3.2]
  it('admits exactly the limit of 50 at once, and reads and writes nothing for the others', async () => {
    nextWindow()
    const { send } = await signedIn()
    stack().database.reset()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send('PATCH', '{}')))
    expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([requests, 50 - requests])
    expect(operations().filter((operation) => operation === 'UpdateItem')).toHaveLength(50)
    expect(operations().filter((operation) => operation !== 'UpdateItem')).toHaveLength(requests)
  })

  it('changes nothing past the limit, however the request is formed', async () => {
    nextWindow()
    const { send, userId } = await signedIn()
    const before = await stack().users.find(userId)
    await inTurns(requests, () => send('PATCH', '{}'))
    stack().database.reset()
    for (const body of ['{"username":"too-late"}', '{"email":1}', '{', `"${'x'.repeat(40_000)}"`]) {
      expect((await send('PATCH', body)).status).toBe(429)
    }
    expect(operations()).toEqual(Array(4).fill('UpdateItem'))
    expect(await stack().users.find(userId)).toEqual(before)
  })

  it('changes the profile while requests cannot be counted', async () => {
    const { send } = await signedIn()
    stack().database.fail({ operation: 'UpdateItem', times: 3, kind: 'drop_before' })
    expect(await send('PATCH', '{"username":"uncounted"}')).toMatchObject({
      status: 200,
      body: { username: 'uncounted' },
    })
  })
})

describe('POST /api/oauth/token', () => {
  const requests = limitOf('oauth-token')
  const description = 'Too many requests'
  const tooMany = {
    status: 429,
    body: {
      error: 'temporarily_unavailable',
      error_description: description,
      ...errorBody(description, 'rate_limited'),
    },
  }

  /** Sends wrong secrets until the limit is reached, in every way a client may authenticate. */
  async function guess({ credentials }: Registered) {
    const fields = { ...credentials, client_secret: 'guessed', grant_type: 'refresh_token', refresh_token: 'x' }
    const ways = ['json', 'form', 'basic'] as const
    for (const way of ways) {
      const answers = await inTurns(requests / ways.length, () => requestToken(stack(), fields, way))
      expect(countOf(answers, 401)).toBe(requests / ways.length)
    }
    return fields
  }

  // [threat 87]
  it('counts failed authentication, and answers 429 to the right secret too until the next window', async () => {
    nextWindow()
    const registered = await register(stack())
    const request = await issueCode(stack(), registered)
    const wrong = await guess(registered)
    for (const way of ['json', 'form', 'basic'] as const) {
      const refused = await requestToken(stack(), way === 'json' ? wrong : request, way)
      expect(refused).toMatchObject(tooMany)
      expect(refused.headers.get('retry-after')).toBe('60')
      expect(refused.headers.get('www-authenticate')).toBeNull()
    }
    stack().advance(59)
    expect((await requestToken(stack(), request)).headers.get('retry-after')).toBe('1')
    stack().advance(FOLLOWED_SECONDS)
    tokensIn(await requestToken(stack(), await issueCode(stack(), registered)))
  })

  // [asvs 4.1.3] [threat 87]
  it('limits each client, and each source IP of a client, by itself', async () => {
    nextWindow()
    const [registered, other] = [await register(stack()), await register(stack())]
    const wrong = await guess(registered)
    expect((await requestToken(stack(), { ...wrong, ...other.credentials })).status).toBe(400)
    const { handler } = await import('../../../functions/oauth-token/handler.ts')
    const sent = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(wrong) }
    const from = (sourceIp: string) =>
      call(({ requestContext, ...event }, context) => {
        const http = { ...requestContext.http, sourceIp }
        return handler({ ...event, requestContext: { ...requestContext, http } }, context)
      }, sent)
    expect([(await from('127.0.0.1')).status, (await from('203.0.113.7')).status]).toEqual([429, 401])
  })

  it.each([
    ['no client', { grant_type: 'refresh_token' }, 'form', 400],
    ['no client, as JSON', { grant_type: 'refresh_token' }, 'json', 422],
  ] as const)('does not call the store for a request that names %s', async (_, fields, way, status) => {
    stack().database.reset()
    expect((await requestToken(stack(), fields, way)).status).toBe(status)
    expect(operations()).toEqual([])
  })

  // [asvs 16.5.3]
  it('answers 503 while requests cannot be counted, and does not use up the code', async () => {
    const request = await issueCode(stack(), await register(stack()))
    stack().database.fail({ operation: 'UpdateItem', times: 3, kind: 'drop_before' })
    const refused = await requestToken(stack(), request)
    expect(refused).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('5')
    tokensIn(await requestToken(stack(), request))
  })
})

describe('A refused request', () => {
  // [asvs 16.3.3]
  it('is logged with the function’s name, and nothing stored or logged names user, client or source IP', async () => {
    const { send, userId, credentials } = await signedIn()
    await inTurns(limitOf('users-me-update') + 1, () => send('PATCH', '{}'))
    const lines = stack()
      .logged()
      .split('\n')
      .filter((line) => line.includes('Rate limit exceeded'))
    expect(lines.at(-1)).toContain('"functionName":"users-me-update"')
    const counts = (await stack().stored()).filter(({ pk }) => String(pk).startsWith('RATE#'))
    expect(counts.length).toBeGreaterThan(0)
    for (const left of [lines.join(), JSON.stringify(counts)]) {
      expect(left).not.toContain(userId)
      expect(left).not.toContain(credentials.client_id)
      expect(left).not.toContain('127.0.0.1')
    }
  })
})
