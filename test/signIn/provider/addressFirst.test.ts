import { beforeAll, describe, expect, it } from '@jest/globals'
import { PASSWORD, queryOf, REDIRECT_URI, registerClient, registerUser } from '../../oauth/authorize/people.ts'
import { useCompanies } from './companyVisits.ts'
import type { Browser, Shown } from './providerVisits.ts'

const { stack, person, identities, provider, browser, company } = useCompanies()
const leadsToClient = expect.stringMatching(new RegExp(`^${REDIRECT_URI}\\?code=`))
beforeAll(() => {
  process.env.COMPANY_SIGN_IN = 'on'
})

async function open(visitor: Browser, parameters: Record<string, string> = {}) {
  const client = await registerClient(stack(), { firstParty: true })
  const path = `/api/oauth/authorize?${queryOf(client, parameters)}`
  return { path, page: await visitor.get(path) }
}

const give = (visitor: Browser, { path, page }: { path: string; page: Shown }, email: string) =>
  visitor.submit(path, page, { action: 'address', email })

/** A page without what differs from one request to the next, and without the address itself. */
const withoutSecrets = ({ status, body }: Shown, email: string) => [
  status,
  body
    .replaceAll(email, 'ADDRESS')
    .replaceAll(encodeURIComponent(email), 'ADDRESS')
    .replaceAll(/value="[\w-]{43}"|nonce-[\w+/=]+|nonce="[^"]*"/g, 'SECRET'),
]

describe('Sign-in that asks for the address first', () => {
  it('asks for nothing else, then for the password', async () => {
    const user = await registerUser(stack())
    const visitor = browser()
    const opened = await open(visitor)
    expect(opened.page.body).not.toMatch(/name="password"|\/api\/sso\/start|data-passkey=/)
    const next = await give(visitor, opened, user.email)
    expect(next).toMatchObject({ status: 200, text: expect.stringContaining(user.email) })
    expect(next.body).toMatch(/type="hidden" name="email"/)
    expect(next.body).toContain('/api/sso/start?provider=acme')
    const wrong = await visitor.submit(opened.path, next, { action: 'login', password: 'a wrong password' })
    expect(wrong).toMatchObject({ status: 400, body: expect.stringContaining('name="password"') })
    await visitor.submit(opened.path, wrong, { action: 'login', password: PASSWORD })
    expect((await visitor.get(opened.path)).location).toEqual(leadsToClient)
  })

  it('still takes address and password together', async () => {
    const user = await registerUser(stack())
    const visitor = browser()
    const { path, page } = await open(visitor)
    await visitor.submit(path, page, { action: 'login', email: user.email, password: PASSWORD })
    expect((await visitor.get(path)).location).toEqual(leadsToClient)
  })

  it('takes the address along to the provider of its company', async () => {
    const own = await company()
    const visitor = browser()
    const next = await give(visitor, await open(visitor), `ada@${own.domain}`)
    const [, link = ''] = /href="(\/api\/sso\/start\?[^"]*)"/.exec(next.body.replaceAll('&amp;', '&')) ?? []
    expect(new URLSearchParams(link.split('?')[1]).get('login_hint')).toBe(`ada@${own.domain}`)
    const { location } = await visitor.get(link)
    expect(new URL(location ?? '').searchParams.get('login_hint')).toBe(`ada@${own.domain}`)
  })

  // [asvs 6.3.8] [threat 115.33]
  it('answers each address of a domain alike, whether it has an account or not', async () => {
    const own = await company()
    const known = await registerUser(stack(), { domain: own.domain })
    const shown = []
    for (const email of [known.email, `u-12345678@${own.domain}`]) {
      const visitor = browser()
      const opened = await open(visitor)
      const next = await give(visitor, opened, email)
      expect(next.body).toContain(`/api/sso/start?provider=${own.id}`)
      shown.push(withoutSecrets({ ...next, body: next.body.replaceAll(/client-[\w-]{36}/g, 'CLIENT') }, email))
    }
    expect(shown[0]).toEqual(shown[1])
  })

  // [threat 115.33]
  it('reads the same of a domain for each of its addresses, and nothing of accounts', async () => {
    const own = await company()
    const known = await registerUser(stack(), { domain: own.domain })
    const reads = []
    for (const email of [known.email, `nobody@${own.domain}`]) {
      const visitor = browser()
      const opened = await open(visitor)
      stack().database.reset()
      await give(visitor, opened, email)
      reads.push(
        stack()
          .database.calls()
          .map(({ operation }) => operation),
      )
    }
    expect(reads[0]).toEqual(reads[1])
    expect(reads[0]?.length).toBeGreaterThan(2)
  })

  it('leads to the provider of the company of the address', async () => {
    const own = await company()
    const { subject, email } = person({ email: `ada@${own.domain}` })
    const visitor = browser()
    const opened = await open(visitor)
    const next = await give(visitor, opened, email)
    expect(next.text).toContain('Continue with Initech &amp; Co')
    expect(await visitor.signInAs({ subject }, next)).toMatchObject({ status: 303, location: opened.path })
    expect((await visitor.get(opened.path)).location).toEqual(leadsToClient)
    expect(await identities().find({ issuer: provider().issuer, subject, organizationId: own.id })).toBeDefined()
  })

  it.each(['', ' ', 'no address', '@', `x@${'a'.repeat(300)}`, 'x@sub.unknown.example'])(
    'names no company for %j',
    async (email) => {
      const visitor = browser()
      const next = await give(visitor, await open(visitor), email)
      expect(next.status).toBe(200)
      expect(next.body).not.toMatch(/provider=[0-9a-f]{8}-/)
    },
  )

  it('is the same before a device and the security of the account', async () => {
    const own = await company()
    for (const path of ['/api/device', '/api/account/security']) {
      const visitor = browser()
      const page = await visitor.get(path)
      expect(page.body).not.toContain('name="password"')
      const next = await give(visitor, { path, page }, `ada@${own.domain}`)
      expect(next.body).toContain(`/api/sso/start?provider=${own.id}`)
      expect(next.body).toContain('name="password"')
    }
  })
})
