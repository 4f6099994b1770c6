import { describe, expect, it } from '@jest/globals'
import type { JWTPayload } from 'jose'
import { createAccountDeletions } from '../../../lib/adapters/dynamodb/accountDeletionStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { exchangeOf, PASSWORD, queryOf, registerClient, registerUser, SECRET } from '../../oauth/authorize/people.ts'
import { requestToken, tokensIn } from '../../oauth/token/tokenRequests.ts'
import { addTotp } from '../secondFactor/people.ts'
import { type Company, useCompanies } from './companyVisits.ts'
import type { Browser } from './providerVisits.ts'

const { stack, provider, person, identities, browser, company, loseDomain } = useCompanies()
const employee = ({ domain }: Company, { email = `${crypto.randomUUID()}@${domain}` } = {}) => person({ email })

/** Signs on in a browser; the page after that, and the session that the id_token names. */
async function signOn(
  own: Company,
  subject: string,
  { visitor = browser(), change = same, firstParty = true, query = {} } = {},
) {
  const client = await registerClient(stack(), { firstParty })
  const scope = 'openid offline_access'
  const path = `/api/oauth/authorize?${queryOf(client, { acr_values: `sso:${own.id}`, scope, ...query })}`
  let sid = ''
  const claims = (sound: JWTPayload) => {
    sid = String(sound.sid)
    return change(sound)
  }
  provider().tamper({ claims })
  const back = await visitor.signInAs({ subject }, await visitor.get(path))
  provider().tamper({})
  return { visitor, path, client, back, sid }
}
const same = (claims: JWTPayload) => claims

/** What the client gets in the browser, after its consent if it needs that. */
async function tokensOf({
  visitor,
  path,
  client,
}: Pick<Awaited<ReturnType<typeof signOn>>, 'visitor' | 'path' | 'client'>) {
  const page = await visitor.get(path)
  const { location } = page.location === null ? await visitor.submit(path, page, { action: 'allow' }) : page
  const code = new URL(location ?? '', stack().baseUrl).searchParams.get('code') ?? ''
  return tokensIn(await requestToken(stack(), exchangeOf(client, code)))
}

/** An employee who has signed on in a browser, and what a client got there. */
async function signedOn(own: Company, somebody = employee(own), options: Parameters<typeof signOn>[2] = {}) {
  const opened = await signOn(own, somebody.subject, options)
  return { ...somebody, ...opened, access: (await tokensOf(opened)).access_token }
}

/** A logout token for a session at the provider, of a subject if one is given. */
const ofSession = (sid: string, subject?: string) =>
  provider().logoutToken('', ({ sub: _, ...claims }) => ({
    ...claims,
    sid,
    ...(subject !== undefined && { sub: subject }),
  }))

async function send({ id }: Pick<Company, 'id'>, token: string) {
  const body = new URLSearchParams({ logout_token: token })
  const answer = await fetch(`${stack().baseUrl}/api/sso/backchannel-logout/${id}`, { method: 'POST', body })
  // Who comes back comes later: by up to a second, each function has a clock of its own.
  stack().advance(2)
  return { status: answer.status, cache: answer.headers.get('cache-control'), text: await answer.text() }
}

interface Signed {
  readonly access: string
  readonly visitor: Browser
  readonly path: string
}

async function isServed({ access, visitor, path }: Signed) {
  const headers = { authorization: `Bearer ${access}` }
  const { status } = await fetch(`${stack().baseUrl}/api/oauth/userinfo`, { headers })
  const { location } = await visitor.get(`${path}&prompt=none`)
  return [status, /code=/.test(location ?? '')]
}

const live = [200, true]
const ended = [401, false]

const connect = '/api/sso/callback'

/** How somebody comes to tokens by the single sign-on. */
const ways: Readonly<Record<string, (own: Company) => Promise<Signed & { sid: string }>>> = {
  'a client of the operator’s own': (own) => signedOn(own),
  async 'tokens that were refreshed, and noted again'(own) {
    const opened = await signOn(own, employee(own).subject)
    const { refresh_token = '' } = await tokensOf(opened)
    stack().advance(7200)
    const refresh = {
      grant_type: 'refresh_token',
      refresh_token,
      client_id: opened.client.clientId,
      client_secret: SECRET,
    }
    return { ...opened, access: tokensIn(await requestToken(stack(), refresh)).access_token }
  },
  'a client of others': (own) => signedOn(own, undefined, { firstParty: false }),
  async 'a sign-in with a second factor'(own) {
    const { opened, finish } = await askedForFactor(own)
    await finish()
    return { ...opened, access: (await tokensOf(opened)).access_token }
  },
  'an account that was connected': (own) => connected(own),
}

/** Somebody who has come back from the provider, and is asked for the second factor. */
async function askedForFactor(own: Company, change?: (claims: JWTPayload) => JWTPayload) {
  const user = await registerUser(stack(), { domain: own.domain })
  const { code } = await addTotp(stack(), user.id)
  const { subject } = employee(own)
  const account = await stack().accounts.find(user.id)
  const identity = { issuer: provider().issuer, subject, providerId: own.id, organizationId: own.id }
  if (account) await identities().link(account, identity, stack().clock.now())
  const opened = await signOn(own, subject, change && { change })
  const { visitor, path } = opened
  const finish = async () =>
    visitor.submit(path, await visitor.get(path), { action: 'second_factor', factor: 'totp', proof: code() })
  return { opened, subject, finish }
}

/** Somebody with a password who has come back from the provider, and is asked to connect it. */
async function askedToConnect(own: Company) {
  const user = await registerUser(stack(), { domain: own.domain })
  const { subject } = employee(own, user)
  const opened = await signOn(own, subject)
  const { visitor } = opened
  const asked = await visitor.get(connect)
  await visitor.submit(connect, asked, { action: 'login', email: user.email, password: PASSWORD })
  const finish = async () => visitor.submit(connect, await visitor.get(connect), { action: 'connect' })
  return { opened, user, subject, finish }
}

/** Somebody with a password who has connected the company's provider. */
async function connected(own: Company) {
  const { opened, user, subject, finish } = await askedToConnect(own)
  await finish()
  return { ...opened, ...user, subject, access: (await tokensOf(opened)).access_token }
}

/** What a client gets after a sign-in by password. */
async function byPassword(email: string): Promise<Signed> {
  const [visitor, client] = [browser(), await registerClient(stack(), { firstParty: true })]
  const path = `/api/oauth/authorize?${queryOf(client, { scope: 'openid' })}`
  await visitor.submit(path, await visitor.get(path), { action: 'login', email, password: PASSWORD })
  return { visitor, path, access: (await tokensOf({ visitor, path, client })).access_token }
}

describe('The back-channel logout of a company', () => {
  it('ends sessions and grants by its sign-on at the next request, and no other sign-in', async () => {
    const own = await company()
    const somebody = await signedOn(own)
    const colleague = await signedOn(own)
    const second = await signedOn(own, somebody)
    expect(await isServed(somebody)).toEqual([200, true])
    const answer = await send(own, await provider().logoutToken(somebody.subject))
    expect(answer).toMatchObject({ status: 200, cache: 'no-store', text: '' })
    expect(await isServed(somebody)).toEqual([401, false])
    expect(await isServed(second)).toEqual([401, false])
    expect(await isServed(colleague)).toEqual([200, true])
    expect(await isServed(await signedOn(own, somebody))).toEqual([200, true])
  })

  it('leaves what its person got by a password', async () => {
    const own = await company()
    const somebody = await connected(own)
    const other = await byPassword(somebody.email)
    await send(own, await provider().logoutToken(somebody.subject))
    expect([await isServed(somebody), await isServed(other)]).toEqual([ended, live])
  })

  it('that names a session at the provider ends that one alone, whether or not it names its person', async () => {
    const own = await company()
    const first = await signedOn(own)
    const [second, third] = [await signedOn(own, first), await signedOn(own, first)]
    expect((await send(own, await ofSession(first.sid))).status).toBe(200)
    expect([await isServed(first), await isServed(second)]).toEqual([ended, live])
    expect((await send(own, await ofSession(second.sid, first.subject))).status).toBe(200)
    expect([await isServed(second), await isServed(third)]).toEqual([ended, live])
    expect((await send(own, await provider().logoutToken(first.subject))).status).toBe(200)
    expect(await isServed(third)).toEqual(ended)
  })

  it.each(Object.entries(ways))('that names only a session reaches %s', async (_, enter) => {
    const own = await company()
    const entered = await enter(own)
    expect(await isServed(entered)).toEqual(live)
    await send(own, await ofSession(`${entered.sid}x`))
    expect(await isServed(entered)).toEqual(live)
    await send(own, await ofSession(entered.sid))
    expect(await isServed(entered)).toEqual(ended)
  })

  // [threat 115.36]
  it('that names a session of another person, or of another company, ends nothing', async () => {
    const [own, other] = [await company(), await company()]
    const [somebody, colleague] = [await signedOn(own), await signedOn(own)]
    const stranger = await signedOn(other, undefined, { change: (claims) => ({ ...claims, sid: somebody.sid }) })
    expect((await send(own, await ofSession(somebody.sid, colleague.subject))).status).toBe(200)
    expect(await isServed(somebody)).toEqual(live)
    await send(own, await ofSession(somebody.sid))
    expect([await isServed(somebody), await isServed(stranger)]).toEqual([ended, live])
  })

  it('that names a session ends those of its person that the provider did not name, and none by the session alone', async () => {
    const own = await company()
    const unnamed = await signedOn(own, undefined, { change: ({ sid: _, ...claims }) => claims })
    await send(own, await ofSession('another'))
    expect(await isServed(unnamed)).toEqual(live)
    await send(own, await ofSession('another', unnamed.subject))
    expect(await isServed(unnamed)).toEqual(ended)
  })

  it.each(['first', 'second'] as const)('ends a browser that signed on twice by its %s session', async (which) => {
    const own = await company()
    const first = await signedOn(own)
    const query = { prompt: 'login' }
    const { sid: second } = await signedOn(own, first, { visitor: first.visitor, query })
    await send(own, await ofSession({ first: first.sid, second }[which]))
    expect(await isServed(first)).toEqual(ended)
  })

  it('leads to nobody by its sessions after the erasure of an account', async () => {
    const own = await company()
    const [somebody, colleague] = [await signedOn(own), await signedOn(own)]
    const userOf = async ({ subject }: { subject: string }) =>
      (await identities().find({ issuer: provider().issuer, subject, organizationId: own.id }))?.userId ?? ('' as never)
    const [erased, kept] = [await userOf(somebody), await userOf(colleague)]
    const leading = async () => (await stack().stored()).filter(({ pk }) => String(pk).startsWith('SIGN_ON#'))
    const before = await leading()
    expect(before.filter(({ userId }) => userId === erased)).toHaveLength(1)
    const names = { accounts: tables.accounts.localName, billing: tables.billing.localName, auditLog: undefined }
    await createAccountDeletions(stack().documents, names).eraseBelongings(erased)
    const after = await leading()
    expect(after).toHaveLength(before.length - 1)
    expect(after.filter(({ userId }) => userId === kept)).toHaveLength(1)
    expect(JSON.stringify(before)).not.toContain(somebody.sid)
  })

  // [threat 115.34]
  it('counts a token once', async () => {
    const own = await company()
    const somebody = await signedOn(own)
    const token = await provider().logoutToken(somebody.subject)
    expect((await send(own, token)).status).toBe(200)
    const again = await signedOn(own, somebody)
    expect(await send(own, token)).toMatchObject({ status: 400, text: expect.stringContaining('invalid_request') })
    expect(await isServed(again)).toEqual([200, true])
  })

  it('is 200 for a person who never came, and says no more', async () => {
    expect((await send(await company(), await provider().logoutToken('nobody'))).status).toBe(200)
  })

  // [asvs 10.5.5] [threat 115.34]
  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['another issuer', (claims) => ({ ...claims, iss: 'https://other.example' })],
    ['another audience', (claims) => ({ ...claims, aud: 'another' })],
    ['a nonce', (claims) => ({ ...claims, nonce: 'x' })],
    ['no event', ({ events: _, ...claims }) => claims],
    ['another event', (claims) => ({ ...claims, events: { other: {} } })],
    ['no id', ({ jti: _, ...claims }) => claims],
    ['neither subject nor session', ({ sub: _, ...claims }) => claims],
    ['an empty session', (claims) => ({ ...claims, sid: '' })],
    ['a session that is no text', ({ sub: _, ...claims }) => ({ ...claims, sid: 7 })],
    ['a subject that is no text', (claims) => ({ ...claims, sub: 7 as never, sid: 'x' })],
    ['no time', ({ iat: _, ...claims }) => claims],
    ['an old time', (claims) => ({ ...claims, iat: (claims.iat ?? 0) - 700 })],
    ['an end that has passed', (claims) => ({ ...claims, exp: (claims.iat ?? 0) - 100 })],
  ])('refuses a token with %s', async (_, change) => {
    const own = await company()
    const somebody = await signedOn(own)
    expect(await send(own, await provider().logoutToken(somebody.subject, change))).toMatchObject({
      status: 400,
      cache: 'no-store',
      text: expect.stringContaining('"error":"invalid_request"'),
    })
    expect(await isServed(somebody)).toEqual([200, true])
  })

  // [threat 115.34]
  it('refuses a foreign signature, any other text, and a form without a token', async () => {
    const own = await company()
    const somebody = await signedOn(own)
    provider().tamper({ foreignKey: true })
    const forged = await provider().logoutToken(somebody.subject)
    provider().tamper({})
    for (const token of [forged, 'text', `${forged}x`, '']) expect((await send(own, token)).status).toBe(400)
    expect(await isServed(somebody)).toEqual([200, true])
  })

  it('reaches nobody at another company, nor after the domain was lost', async () => {
    const [own, other] = [await company(), await company()]
    const somebody = await signedOn(own)
    const token = await provider().logoutToken(somebody.subject)
    expect((await send(other, token)).status).toBe(200)
    expect(await isServed(somebody)).toEqual([200, true])
    await loseDomain(own)
    expect((await send(own, token)).status).toBe(400)
    expect((await send({ id: 'no id' as never }, token)).status).toBe(400)
  })

  // [catch openIdClient.readLogout]
  it('is 503 while the provider or the store is unavailable, and can be sent again', async () => {
    const own = await company()
    const somebody = await signedOn(own)
    const token = await provider().logoutToken(somebody.subject)
    provider().tamper({ metadata: (metadata) => ({ ...metadata, jwks_uri: 'http://127.0.0.1:1/jwks' }) })
    expect((await send(own, token)).status).toBe(503)
    provider().tamper({})
    for (const operation of ['GetItem', 'Query', 'UpdateItem', 'PutItem'] as const) {
      stack().database.fail({ operation, times: 9, kind: 'drop_before' })
      expect([operation, (await send(own, token)).status]).toEqual([operation, 503])
      stack().database.reset()
    }
    expect((await send(own, token)).status).toBe(200)
    expect(await isServed(somebody)).toEqual([401, false])
  })
})

/** A logout token of each kind for a person, in or out of a session at the provider. */
const logouts: Readonly<Record<string, (own: { sid: string; subject: string }) => Promise<string>>> = {
  'its person': ({ subject }) => provider().logoutToken(subject),
  'its session at the provider': ({ sid }) => ofSession(sid),
  'both of them': ({ sid, subject }) => ofSession(sid, subject),
}

/** Whether somebody is signed in by a company's single sign-on, without being asked anything. */
async function isSignedOn({ visitor, path }: Pick<Signed, 'visitor' | 'path'>) {
  const { location } = await visitor.get(`${path}&prompt=none`)
  return /code=/.test(location ?? '')
}

describe('A sign-in that is not finished when the provider signs its person out', () => {
  // [catch session.unlessSignedOut] [threat 115.37]
  it.each(Object.entries(logouts))('cannot be finished by a second factor: a logout of %s', async (_, logout) => {
    const own = await company()
    const { opened, subject, finish } = await askedForFactor(own)
    stack().advance(2)
    await send(own, await logout({ subject, sid: opened.sid }))
    const page = await finish()
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('took too long') })
    expect(await isSignedOn(opened)).toBe(false)
    const again = await signOn(own, subject, { visitor: opened.visitor })
    expect(again.back.location).toContain('/api/oauth/authorize?')
  })

  it.each(Object.entries(logouts))(
    'connects, but the session is none by the sign-on: a logout of %s',
    async (_, logout) => {
      const own = await company()
      const { opened, subject, finish } = await askedToConnect(own)
      stack().advance(2)
      await send(own, await logout({ subject, sid: opened.sid }))
      await finish()
      expect(await isSignedOn(opened)).toBe(false)
      await opened.visitor.signInAs({ subject }, await opened.visitor.get(opened.path))
      expect(await isSignedOn(opened)).toBe(true)
    },
  )

  it.each<[string, (own: { sid: string; subject: string }) => Promise<string>]>([
    ['another person', () => provider().logoutToken('another')],
    ['another session', ({ sid }) => ofSession(`${sid}x`)],
    ['another session of its person', ({ sid, subject }) => ofSession(`${sid}x`, subject)],
    ['another person in another session', ({ sid }) => ofSession(`${sid}x`, 'another')],
  ])('is finished after a logout of %s', async (_, logout) => {
    const own = await company()
    const { opened, subject, finish } = await askedForFactor(own)
    stack().advance(2)
    expect((await send(own, await logout({ subject, sid: opened.sid }))).status).toBe(200)
    await finish()
    expect(await isSignedOn(opened)).toBe(true)
  })

  it('cannot be finished after a logout of any session, if the provider named none', async () => {
    const own = await company()
    const { opened, subject, finish } = await askedForFactor(own, ({ sid: _, ...claims }) => claims)
    stack().advance(2)
    await send(own, await ofSession('another', subject))
    await finish()
    expect(await isSignedOn(opened)).toBe(false)
  })

  it('is of one company: the logout of another ends nothing', async () => {
    const [own, other] = [await company(), await company()]
    const { opened, subject, finish } = await askedForFactor(own)
    stack().advance(2)
    for (const token of Object.values(logouts)) await send(other, await token({ subject, sid: opened.sid }))
    await finish()
    expect(await isSignedOn(opened)).toBe(true)
  })
})
