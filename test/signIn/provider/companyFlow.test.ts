import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { exchangeOf, PASSWORD, REDIRECT_URI, registerUser } from '../../oauth/authorize/people.ts'
import { requestToken, tokensIn } from '../../oauth/token/tokenRequests.ts'
import { setAttributes } from '../../support/setAttributes.ts'
import { addTotp } from '../secondFactor/people.ts'
import { type Company, openSignOn, useCompanies } from './companyVisits.ts'
import type { Browser } from './providerVisits.ts'

const { stack, provider, person, identities, browser, company, loseDomain } = useCompanies()
const issuer = () => provider().issuer
const leadsToClient = expect.stringMatching(new RegExp(`^${REDIRECT_URI}\\?code=`))
const refused = { status: 403, text: expect.stringContaining('This address is not one of the company') }

const userOf = async ({ id: organizationId }: Pick<Company, 'id'>, subject: string) =>
  (await identities().find({ issuer: issuer(), subject, organizationId }))?.userId

const employee = ({ domain }: Company, change = {}) => person({ email: `${crypto.randomUUID()}@${domain}`, ...change })

async function signOn(visitor: Browser, of: Company, subject: string, parameters = {}) {
  const opened = await openSignOn(stack(), visitor, of, parameters)
  return { ...opened, back: await visitor.signInAs({ subject }, opened.page) }
}

/** The access token that the client gets in this browser. */
async function tokenIn(visitor: Browser, { path, client }: Awaited<ReturnType<typeof openSignOn>>) {
  const { location } = await visitor.get(path)
  const code = new URL(location ?? '', stack().baseUrl).searchParams.get('code') ?? ''
  return tokensIn(await requestToken(stack(), exchangeOf(client, code))).access_token
}

const claimsIn = async (...of: Parameters<typeof tokenIn>) => decodeJwt(await tokenIn(...of))

const sessionOf = (visitor: Browser) => stack().sessions.find(digestSecret(visitor.cookies.get('__Host-session') ?? ''))

describe('The single sign-on of a company', () => {
  it('is what the sign-in page leads to if a client asks for it, and makes an account for a new employee', async () => {
    const own = await company()
    const { subject, email } = employee(own)
    const visitor = browser()
    const opened = await signOn(visitor, own, subject)
    expect(opened.page.text).toContain('Initech &amp; Co asks its members to sign in with its own provider')
    expect(opened.page.body).not.toContain('name="password"')
    expect(opened.back).toMatchObject({ status: 303, location: opened.path })
    expect(await claimsIn(visitor, opened)).toMatchObject({ sso: own.id, acr: 'aal1', sub: await userOf(own, subject) })
    const account = await stack().accounts.find((await userOf(own, subject)) ?? ('' as never))
    expect(account).toMatchObject({ user: { email, isVerified: true }, passwordHash: undefined })
  })

  it('gives tokens that the API takes', async () => {
    const own = await company()
    const visitor = browser()
    const access = await tokenIn(visitor, await signOn(visitor, own, employee(own).subject))
    const headers = { authorization: `Bearer ${access}` }
    expect((await fetch(`${stack().baseUrl}/api/users/me`, { headers })).status).toBe(200)
  })

  it('is asked for again of a session that came another way, and of nobody if it does not exist', async () => {
    const own = await company()
    const user = await registerUser(stack())
    const visitor = browser()
    const nobodys = { id: crypto.randomUUID() as never }
    const { path, page } = await openSignOn(stack(), visitor, nobodys)
    expect(page.body).toContain('name="password"')
    await visitor.submit(path, page, { action: 'login', email: user.email, password: PASSWORD })
    expect((await visitor.get(path)).location).toEqual(leadsToClient)
    const asked = await openSignOn(stack(), visitor, own)
    expect(asked.page.body).toContain(`/api/sso/start?provider=${own.id}`)
    expect((await visitor.get(`${asked.path}&prompt=none`)).location).toMatch(/error=login_required/)
  })

  it('leads to the same account, whatever the address at the provider is by then', async () => {
    const own = await company()
    const somebody = employee(own)
    await signOn(browser(), own, somebody.subject)
    Object.assign(somebody, { email: 'moved@example.org', isEmailVerified: false })
    const visitor = browser()
    const { path } = await signOn(visitor, own, somebody.subject)
    expect((await visitor.get(path)).location).toEqual(leadsToClient)
  })

  it('asks for the password of an account that has the address, and then counts for the session', async () => {
    const own = await company()
    const user = await registerUser(stack(), { domain: own.domain })
    const { subject } = employee(own, { email: user.email })
    const visitor = browser()
    const opened = await signOn(visitor, own, subject)
    expect(opened.back.location).toBe('/api/sso/callback')
    const asked = await visitor.get('/api/sso/callback')
    expect(await userOf(own, subject)).toBeUndefined()
    const wrong = { action: 'login', email: user.email, password: 'a wrong password' }
    const reason = expect.stringContaining('To connect Initech &amp; Co, sign in to your account once more')
    expect(await visitor.submit('/api/sso/callback', asked, wrong)).toMatchObject({ status: 400, text: reason })
    await visitor.submit('/api/sso/callback', asked, { action: 'login', email: user.email, password: PASSWORD })
    const before = visitor.cookies.get('__Host-session')
    const confirm = await visitor.get('/api/sso/callback')
    const connected = await visitor.submit('/api/sso/callback', confirm, { action: 'connect' })
    expect(connected).toMatchObject({ status: 303, location: opened.path })
    expect(visitor.cookies.get('__Host-session')).not.toBe(before)
    expect(await claimsIn(visitor, opened)).toMatchObject({ sso: own.id, sub: user.id, amr: ['pwd'] })
  })

  // [threat 115.26]
  it('speaks for verified addresses at its own domains only', async () => {
    const own = await company()
    const other = await company()
    for (const change of [
      { email: `somebody@${other.domain}` },
      { email: `somebody@sub.${own.domain}` },
      { email: `somebody@${own.domain}`, isEmailVerified: false },
      { email: `somebody@${own.domain}@${other.domain}` },
    ]) {
      const { subject } = person(change)
      const visitor = browser()
      const { back, path } = await signOn(visitor, own, subject)
      expect(back).toMatchObject(refused)
      expect(back.body).toContain(path.replaceAll('&', '&amp;'))
      expect(await userOf(own, subject)).toBeUndefined()
      expect(await sessionOf(visitor)).toBeUndefined()
    }
  })

  // [threat 115.27]
  it('connects no account of another domain', async () => {
    const own = await company()
    const user = await registerUser(stack())
    const { email } = await registerUser(stack(), { domain: own.domain })
    const { subject } = employee(own, { email })
    const visitor = browser()
    await signOn(visitor, own, subject)
    const asked = await visitor.get('/api/sso/callback')
    await visitor.submit('/api/sso/callback', asked, { action: 'login', email: user.email, password: PASSWORD })
    expect(await visitor.get('/api/sso/callback')).toMatchObject(refused)
    expect(await visitor.submit('/api/sso/callback', asked, { action: 'connect' })).toMatchObject({ status: 403 })
    expect(await userOf(own, subject)).toBeUndefined()
  })

  // [threat 115.27]
  it('reaches no account that another registration of the same issuer has linked', async () => {
    const [first, second] = [await company(), await company()]
    const somebody = employee(first)
    await signOn(browser(), first, somebody.subject)
    const opened = await signOn(browser(), second, somebody.subject)
    expect(opened.back).toMatchObject(refused)
    const operated = browser()
    const page = await operated.get(opened.path.replace(/acr_values=[^&]*/, ''))
    expect((await operated.signInAs(somebody, page)).location).toBe('/api/sso/callback')
    expect(await sessionOf(operated)).toBeUndefined()
  })

  // [threat 115.28]
  it('opens no account of its people for the next owner of the domain', async () => {
    const own = await company()
    const somebody = employee(own)
    await signOn(browser(), own, somebody.subject)
    await loseDomain(own)
    const late = browser()
    expect((await openSignOn(stack(), late, own)).page.body).toContain('name="password"')
    const next = await company({ domain: own.domain })
    const visitor = browser()
    const { back } = await signOn(visitor, next, somebody.subject)
    expect(back.location).toBe('/api/sso/callback')
    expect(await sessionOf(visitor)).toBeUndefined()
    expect((await visitor.get('/api/sso/callback')).body).toContain('name="password"')
  })

  // [threat 115.30]
  it('no longer speaks for an account whose address has left the domain', async () => {
    const own = await company()
    const somebody = employee(own)
    await signOn(browser(), own, somebody.subject)
    const visitor = browser()
    const opened = await openSignOn(stack(), visitor, own)
    const callback = await visitor.visitProvider(somebody.subject, opened.page)
    const other = await company()
    const key = { pk: `USER#${await userOf(own, somebody.subject)}`, sk: 'USER' }
    await setAttributes(stack().documents, tables.accounts.localName, key, { email: `x@${other.domain}` })
    expect(await visitor.get(callback)).toMatchObject(refused)
  })

  // [threat 115.31]
  it.each([
    [true, 'aal2'],
    [false, 'aal1'],
  ])('counts two factors there if its owners trust them (%s)', async (trustAcr, acr) => {
    const own = await company({ trustAcr })
    const { subject } = employee(own, { hasTwoFactors: true })
    const visitor = browser()
    expect(await claimsIn(visitor, await signOn(visitor, own, subject))).toMatchObject({ acr, sso: own.id })
  })

  it('makes a new employee a member if people of the domain join', async () => {
    const own = await company({ membership: 'join' })
    const { subject } = employee(own)
    await signOn(browser(), own, subject)
    const Key = { pk: `ORG#${own.id}`, sk: `MEMBER#${await userOf(own, subject)}` }
    const TableName = tables.billing.localName
    expect((await stack().documents.send(new GetCommand({ TableName, Key }))).Item).toMatchObject({ role: 'member' })
  })

  it('waits for the second factor of the account, and is kept by it', async () => {
    const own = await company()
    const user = await registerUser(stack(), { domain: own.domain })
    const { code } = await addTotp(stack(), user.id)
    const { subject } = employee(own)
    const account = await stack().accounts.find(user.id)
    const identity = { issuer: issuer(), subject, providerId: own.id, organizationId: own.id }
    if (account) await identities().link(account, identity, stack().clock.now())
    const visitor = browser()
    const opened = await signOn(visitor, own, subject)
    const asked = await visitor.get(opened.path)
    expect(asked.text).toContain('Code from your authenticator app')
    await visitor.submit(opened.path, asked, { action: 'second_factor', factor: 'totp', proof: code() })
    expect(await claimsIn(visitor, opened)).toMatchObject({ sso: own.id, acr: 'aal2', sub: user.id })
  })

  it('says so if its provider is unreachable, and leads to the sign-in page', async () => {
    const own = await company({ issuer: 'http://127.0.0.1:1' })
    const visitor = browser()
    const { path, page } = await openSignOn(stack(), visitor, own)
    const [, start = ''] = /href="(\/api\/sso\/start[^"]*)"/.exec(page.body) ?? []
    const answer = await visitor.get(start.replaceAll('&amp;', '&'))
    expect(answer).toMatchObject({ status: 503, text: expect.stringContaining('We cannot reach Initech &amp; Co') })
    expect(answer.body).toContain(path.replaceAll('&', '&amp;'))
  })
})

describe('A hostile provider of a company', () => {
  // [asvs 10.5.1 10.5.3 10.5.4] [threat 115.25]
  it.each([
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'another' }],
    ['another nonce', { nonce: 'another' }],
    ['an expired token', { exp: 1 }],
  ])('does not sign a user in with %s', async (_, claims) => {
    const own = await company()
    const { subject } = employee(own)
    provider().tamper({ claims: (sound) => ({ ...sound, ...claims }) })
    const visitor = browser()
    const { back } = await signOn(visitor, own, subject)
    provider().tamper({})
    expect(back).toMatchObject({ status: 400, text: expect.stringContaining('We cannot trust the answer') })
    expect(await sessionOf(visitor)).toBeUndefined()
  })

  // [threat 115.25]
  it('does not sign a user in with a foreign signature', async () => {
    const own = await company()
    provider().tamper({ foreignKey: true })
    const { back } = await signOn(browser(), own, employee(own).subject)
    provider().tamper({})
    expect(back.status).toBe(400)
  })

  // [asvs 10.5.2] [threat 115.29]
  it('opens no account by a changed subject', async () => {
    const own = await company()
    const somebody = employee(own)
    await signOn(browser(), own, somebody.subject)
    const taken = employee(own, { email: somebody.email })
    const visitor = browser()
    const { back } = await signOn(visitor, own, taken.subject)
    expect(back.location).toBe('/api/sso/callback')
    expect(await sessionOf(visitor)).toBeUndefined()
  })
})
