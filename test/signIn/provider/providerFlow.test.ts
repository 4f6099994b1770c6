import { describe, expect, it } from '@jest/globals'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { formFields } from '../../oauth/authorize/page.ts'
import { PASSWORD, REDIRECT_URI, registerUser } from '../../oauth/authorize/people.ts'
import { argon2idPasswords } from '../../support/argon2idPasswords.ts'
import { addTotp } from '../secondFactor/people.ts'
import { type Browser, openSignIn, register, useProvider } from './providerVisits.ts'

const { stack, provider, person, identities, providers, activityOf, browser } = useProvider()
const issuer = () => provider().issuer
const leadsToClient = expect.stringMatching(new RegExp(`^${REDIRECT_URI}\\?code=`))

/** The user whom an identity leads to. */
const userOf = async (subject: string) => (await identities().find({ issuer: issuer(), subject }))?.userId

async function signIn(visitor: Browser, subject: string, parameters = {}) {
  const { path, page } = await openSignIn(stack(), visitor, parameters)
  const back = await visitor.signInAs({ subject }, page)
  return { path, page, back }
}

describe('The sign-in at a provider', () => {
  it('makes an account for somebody whose address the provider has verified, and leads back to the client', async () => {
    const { subject, email } = person({ name: 'Zoë Müller' })
    const visitor = browser()
    const { path, page, back } = await signIn(visitor, subject)
    expect(page.text).toContain('Continue with Acme &amp; Sons')
    expect(back).toMatchObject({ status: 303, location: path })
    expect((await visitor.get(path)).location).toEqual(leadsToClient)
    const account = await stack().accounts.find((await userOf(subject)) ?? ('' as never))
    expect(account).toMatchObject({
      user: { email, username: 'Zoe-Muller', isVerified: true },
      passwordHash: undefined,
    })
    expect([...visitor.cookies.keys()].sort()).toEqual(['__Host-known-browser', '__Host-session'])
  })

  // [asvs 6.8.1] [threat 115.16]
  it('leads to the same account the next time, whatever the address is by then', async () => {
    const somebody = person()
    await signIn(browser(), somebody.subject)
    const userId = await userOf(somebody.subject)
    Object.assign(somebody, { email: 'moved@example.com', isEmailVerified: false })
    const visitor = browser()
    const { path } = await signIn(visitor, somebody.subject)
    expect((await visitor.get(path)).location).toEqual(leadsToClient)
    expect(await userOf(somebody.subject)).toBe(userId)
  })

  // [threat 115.14]
  it('asks for the password of an account that has the address, before it connects', async () => {
    const user = await registerUser(stack())
    const { subject } = person({ email: user.email })
    const visitor = browser()
    const { path, back } = await signIn(visitor, subject)
    expect(back).toMatchObject({ status: 303, location: '/api/sso/callback' })
    const asked = await visitor.get('/api/sso/callback')
    expect(asked.text).toContain('To connect Acme &amp; Sons, sign in to your account once more by another way')
    expect(asked.body).not.toContain('/api/sso/start')
    expect(await userOf(subject)).toBeUndefined()
    await visitor.submit('/api/sso/callback', asked, { action: 'login', email: user.email, password: PASSWORD })
    const confirm = await visitor.get('/api/sso/callback')
    expect(confirm.text).toContain('Connect Acme &amp; Sons?')
    expect(await userOf(subject)).toBeUndefined()
    const connected = await visitor.submit('/api/sso/callback', confirm, { action: 'connect' })
    expect(connected).toMatchObject({ status: 303, location: path })
    expect(await userOf(subject)).toBe(user.id)
    expect(stack().logged()).not.toContain(user.email)
    expect(await activityOf(user.id)).toContain('provider_connected')
    expect((await visitor.submit('/api/sso/callback', confirm, { action: 'connect' })).status).toBe(400)
  })

  // [threat 115.15]
  it('makes no account for an unverified address, and says nothing of who has it', async () => {
    const user = await registerUser(stack())
    const shown = []
    for (const email of [user.email, 'nobody@example.com', undefined]) {
      const visitor = browser()
      const { subject } = person({ ...(email && { email }), isEmailVerified: false })
      expect((await signIn(visitor, subject)).back.location).toBe('/api/sso/callback')
      shown.push((await visitor.get('/api/sso/callback')).text)
      expect(await userOf(subject)).toBeUndefined()
    }
    expect(new Set(shown).size).toBe(1)
  })

  // [threat 115.18]
  it('connects with the account that is signed in, only after a recent sign-in', async () => {
    const user = await registerUser(stack())
    const { subject } = person()
    const visitor = browser()
    const { path, page } = await openSignIn(stack(), visitor)
    const callback = await visitor.visitProvider(subject, page)
    await visitor.submit(path, page, { action: 'login', email: user.email, password: PASSWORD })
    expect((await visitor.get(callback)).location).toBe('/api/sso/callback')
    const confirm = await visitor.get('/api/sso/callback')
    stack().advance(602)
    expect((await visitor.submit('/api/sso/callback', confirm, { action: 'connect' })).body).toContain(
      'name="password"',
    )
    expect(await userOf(subject)).toBeUndefined()
  })

  // [asvs 3.5.1] [threat 115.35]
  it('connects nothing by a form of another visitor or site, or without the cookie', async () => {
    const { subject } = person()
    const atQuestion = async () => {
      const user = await registerUser(stack())
      const visitor = browser()
      const { path, page } = await openSignIn(stack(), visitor)
      const callback = await visitor.visitProvider(subject, page)
      await visitor.submit(path, page, { action: 'login', email: user.email, password: PASSWORD })
      await visitor.get(callback)
      return { visitor, confirm: await visitor.get('/api/sso/callback') }
    }
    const [ada, eve] = [await atQuestion(), await atQuestion()]
    const connect = async (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      (await ada.visitor.submit('/api/sso/callback', ada.confirm, { action: 'connect', ...fields }, headers)).status
    const forged = [
      await connect({ csrf: formFields(eve.confirm.body).csrf ?? '' }),
      await connect({ csrf: '' }),
      await connect({}, { origin: 'https://evil.example.com' }),
      await connect({}, { 'sec-fetch-site': 'cross-site' }),
    ]
    const session = ada.visitor.cookies.get('__Host-session') ?? ''
    ada.visitor.cookies.delete('__Host-session')
    forged.push(await connect({}))
    expect(forged).toEqual([403, 403, 403, 403, 403])
    expect(await userOf(subject)).toBeUndefined()
    ada.visitor.cookies.set('__Host-session', session)
    expect(await connect({})).toBe(303)
  })

  // [asvs 10.2.1] [threat 115.17]
  it('counts an answer once, in the browser that began it, for 15 minutes', async () => {
    const { subject } = person()
    const visitor = browser()
    const { page } = await openSignIn(stack(), visitor)
    const callback = await visitor.visitProvider(subject, page)
    const other = browser()
    expect(await other.get(callback)).toMatchObject({ status: 400 })
    expect(await visitor.get('/api/sso/callback?state=other&code=x')).toMatchObject({ status: 400 })
    expect(visitor.cookies.has('__Host-provider-sign-in')).toBe(true)
    stack().advance(901)
    const late = await visitor.get(callback)
    expect(late).toMatchObject({ status: 400 })
    expect(late.text).toContain('This sign-in is over')
    expect(await userOf(subject)).toBeUndefined()
  })

  // [threat 115.20]
  it('asks an account with a second factor for it, and is as old as the older proof', async () => {
    const user = await registerUser(stack())
    const { code } = await addTotp(stack(), user.id)
    const { subject } = person({ hasTwoFactors: true })
    const account = await stack().accounts.find(user.id)
    const identity = { issuer: issuer(), subject, providerId: 'acme' }
    if (account) await identities().link(account, identity, stack().clock.now())
    provider().tamper({ claims: (claims) => ({ ...claims, auth_time: Number(claims.iat) - 120 }) })
    const visitor = browser()
    const { path } = await signIn(visitor, subject)
    provider().tamper({})
    const session = () => stack().sessions.find(digestSecret(visitor.cookies.get('__Host-session') ?? ''))
    expect(await session()).toBeUndefined()
    const asked = await visitor.get(path)
    expect(asked.text).toContain('Code from your authenticator app')
    await visitor.submit(path, asked, { action: 'second_factor', factor: 'totp', proof: code() })
    const at = stack().clock.now() - 120_000
    expect(await session()).toMatchObject({ userId: user.id, authentication: { at, methods: ['otp', 'mfa'] } })
  })

  // [asvs 6.8.4] [threat 115.20]
  it('counts the two factors of a provider only if its operator says so', async () => {
    const somebody = person({ hasTwoFactors: true })
    await signIn(browser(), somebody.subject)
    const userId = (await userOf(somebody.subject)) ?? ('' as never)
    const session = async () => {
      const visitor = browser()
      const { path } = await signIn(visitor, somebody.subject, { acr_values: 'aal2' })
      return visitor.get(path)
    }
    await register(stack(), { issuer: issuer(), trustAcr: true })
    expect((await session()).location).toEqual(leadsToClient)
    await register(stack(), { issuer: issuer() })
    const refused = await session()
    expect(refused.location).toMatch(/error=unmet_authentication_requirements/)
    expect(userId).toBeDefined()
  })

  // [threat 115.21]
  it('takes a sign-in of unknown age for no recent one, and asks for another if the page needs it', async () => {
    const { subject } = person()
    provider().tamper({ claims: ({ auth_time: _, ...claims }) => claims })
    const visitor = browser()
    const { back } = await signIn(visitor, subject)
    expect(back.status).toBe(303)
    const device = await visitor.get('/api/device')
    expect(device.body).toContain('name="password"')
    expect(await visitor.signInAs({ subject }, device)).toMatchObject({ status: 400 })
    provider().tamper({})
    expect(await visitor.signInAs({ subject }, device)).toMatchObject({ location: '/api/device?' })
    expect((await visitor.get('/api/device?')).body).toContain('name="user_code"')
  })

  // [threat 115.13]
  it('says what went wrong, and leads to the other ways', async () => {
    const { subject } = person()
    const visitor = browser()
    const { path, page } = await openSignIn(stack(), visitor)
    provider().tamper({ foreignKey: true })
    const untrusted = await visitor.signInAs({ subject }, page)
    provider().tamper({})
    expect(untrusted).toMatchObject({ status: 400, text: expect.stringContaining('We cannot trust the answer') })
    expect(untrusted.body).toContain(path.replaceAll('&', '&amp;'))
    const denied = await visitor.signInAs({ subject: 'nobody' }, page)
    expect(denied).toMatchObject({ status: 400, text: expect.stringContaining('You were not signed in') })
    await register(stack(), { issuer: 'http://127.0.0.1:1' })
    const callback = await visitor.get((await visitor.visitProvider(subject, page)).replaceAll('&amp;', '&'))
    expect(callback).toMatchObject({ status: 503, text: expect.stringContaining('The provider does not answer') })
    await providers().remove('acme')
    const gone = await visitor.get((await visitor.visitProvider(subject, page)).replaceAll('&amp;', '&'))
    expect(gone).toMatchObject({ status: 404 })
    await register(stack(), { issuer: issuer() })
    expect(await userOf(subject)).toBeUndefined()
  })

  // [threat 115.19]
  it('asks to connect again once the account has another password', async () => {
    const { subject } = person()
    await signIn(browser(), subject)
    const account = await stack().accounts.find((await userOf(subject)) ?? ('' as never))
    if (account === undefined) throw new Error('no account')
    const passwordHash = await argon2idPasswords.hash(PASSWORD)
    await stack().accounts.changePassword(account, { passwordHash, keptFamily: undefined })
    const visitor = browser()
    expect((await signIn(visitor, subject)).back.location).toBe('/api/sso/callback')
    const asked = await visitor.get('/api/sso/callback')
    await visitor.submit('/api/sso/callback', asked, { action: 'login', email: account.user.email, password: PASSWORD })
    await visitor.submit('/api/sso/callback', await visitor.get('/api/sso/callback'), { action: 'connect' })
    const again = browser()
    const { path } = await signIn(again, subject)
    expect((await again.get(path)).location).toEqual(leadsToClient)
  })

  it('signs nobody in to an account that is switched off', async () => {
    const { subject } = person()
    await signIn(browser(), subject)
    await stack().setActive((await userOf(subject)) ?? ('' as never), false)
    const { back } = await signIn(browser(), subject)
    expect(back).toMatchObject({ status: 403, text: expect.stringContaining('This account is switched off') })
  })

  // [threat 115.23]
  it('stores no secret of a sign-in', async () => {
    const visitor = browser()
    const { page } = await openSignIn(stack(), visitor)
    const callback = await visitor.visitProvider(person().subject, page)
    const kept = JSON.stringify(await stack().stored())
    for (const secret of [visitor.cookies.get('__Host-provider-sign-in'), new URLSearchParams(callback).get('state')])
      expect(kept).not.toContain(secret ?? 'nothing')
  })
})
