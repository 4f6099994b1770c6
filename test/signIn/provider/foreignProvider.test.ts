import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createIdentities } from '../../../lib/adapters/dynamodb/identityStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createOpenIdClient } from '../../../lib/adapters/openid/openIdClient.ts'
import { PASSWORD, registerUser } from '../../oauth/authorize/people.ts'
import { ISSUER, useAccountsStack } from '../../support/accountsStack.ts'
import { useOidcProvider } from '../../support/browser/useOidcProvider.ts'
import { visitProvider } from '../../support/browser/visitProvider.ts'
import { Browser, client, openSignIn, register, type Shown } from './providerVisits.ts'

const redirectUri = `${ISSUER}/api/sso/callback`
const stack = useAccountsStack()
const issuer = useOidcProvider({ ...client, redirectUri, now: () => stack().clock.now() })

async function userOf(subject: string) {
  const identities = createIdentities(stack().documents, tables.accounts.localName)
  return (await identities.find({ issuer: issuer(), subject }))?.userId
}

beforeAll(async () => {
  process.env.EVENT_DESTINATIONS = 'public_or_loopback'
  await register(stack(), { issuer: issuer() })
})
afterAll(() => {
  delete process.env.EVENT_DESTINATIONS
})

const typed = (login: string) => ({ login, password: 'any' })
const secrets = () => ({ state: randomUUID(), nonce: randomUUID(), codeVerifier: randomUUID().repeat(2) })
const adapter = () =>
  createOpenIdClient({
    ...{ destinations: 'public_or_loopback', resolveHost: async () => ['127.0.0.1'] },
    clock: stack().clock,
  })

/** Follows the button of the provider on a page, signs in there, and comes back. */
async function signInThere(visitor: Browser, page: Shown, login: string): Promise<Shown> {
  const [, start = ''] = /href="(\/api\/sso\/start[^"]*)"/.exec(page.body) ?? []
  const { location } = await visitor.get(start.replaceAll('&amp;', '&'))
  const { leadsTo } = await visitProvider(location ?? '', new Map(), typed(login))
  expect(leadsTo.href.startsWith(`${redirectUri}?`)).toBe(true)
  return visitor.get(leadsTo.pathname + leadsTo.search)
}

async function signIn(login: string) {
  const visitor = new Browser(stack().baseUrl)
  const { path, page } = await openSignIn(stack(), visitor)
  return { visitor, path, back: await signInThere(visitor, page, login) }
}

describe('oidc-provider as a sign-in provider', () => {
  it('tells the client who signed in, by the id_token and by UserInfo', async () => {
    const provider = { ...client, issuer: issuer() }
    const login = randomUUID()
    const sent = secrets()
    expect(await adapter().discover(issuer())).toEqual({ kind: 'found' })
    const asked = await adapter().authorizationUrl(provider, { ...sent, redirectUri, isFresh: true })
    if (asked.kind !== 'leads_to') throw new Error(asked.fault)
    const { leadsTo } = await visitProvider(asked.url, new Map(), typed(login))
    const answer = { ...sent, callback: leadsTo.href, isFresh: true }
    expect(await adapter().exchange({ ...provider, clientSecret: 'another' }, answer)).toMatchObject({
      kind: 'refused',
      fault: 'answer_refused',
    })
    const again = { ...answer, callback: (await visitProvider(asked.url, new Map(), typed(login))).leadsTo.href }
    expect(await adapter().exchange(provider, again)).toEqual({
      kind: 'proven',
      identity: {
        ...{ issuer: issuer(), subject: login, email: `${login}@example.com`, isEmailVerified: true },
        ...{ name: 'Ada Lovelace', signedInAt: stack().clock.now(), hasTwoFactors: false, sessionId: undefined },
      },
    })
    expect(await adapter().exchange(provider, again)).toMatchObject({ fault: 'answer_refused' })
  })

  it('is asked for another sign-in in a session of its own, if the page needs it', async () => {
    const cookies = new Map<string, string>()
    const visit = async (isFresh: boolean) => {
      const asked = await adapter().authorizationUrl(
        { ...client, issuer: issuer() },
        { ...secrets(), redirectUri, isFresh },
      )
      if (asked.kind !== 'leads_to') throw new Error(asked.fault)
      return (await visitProvider(asked.url, cookies, typed('ada'))).forms
    }
    expect([await visit(false), await visit(false), await visit(true)]).toEqual([2, 0, 1])
  })

  it('makes an account, and leads to it again', async () => {
    const login = randomUUID()
    const { visitor, path, back } = await signIn(login)
    expect(back).toMatchObject({ status: 303, location: path })
    expect((await visitor.get(path)).location).toMatch(/\?code=/)
    const userId = await userOf(login)
    const account = userId && (await stack().accounts.find(userId))
    expect(account).toMatchObject({ user: { email: `${login}@example.com`, isVerified: true } })
    const second = await signIn(login)
    expect((await second.visitor.get(second.path)).location).toMatch(/\?code=/)
    expect(await userOf(login)).toBe(userId)
  })

  it('makes none for an address that it has not verified, and connects after a sign-in', async () => {
    const user = await registerUser(stack())
    const login = `unverified-${randomUUID()}`
    const { visitor, path, back } = await signIn(login)
    expect(back).toMatchObject({ status: 303, location: '/api/sso/callback' })
    const asked = await visitor.get('/api/sso/callback')
    await visitor.submit('/api/sso/callback', asked, { action: 'login', email: user.email, password: PASSWORD })
    const confirm = await visitor.get('/api/sso/callback')
    expect(confirm.text).toContain(`${login}@example.com`)
    expect(await visitor.submit('/api/sso/callback', confirm, { action: 'connect' })).toMatchObject({ location: path })
    expect(await userOf(login)).toBe(user.id)
  })
})
