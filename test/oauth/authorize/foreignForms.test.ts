import { describe, expect, it } from '@jest/globals'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { formFields } from './page.ts'
import { PASSWORD, queryOf, registerClient, registerUser, responseIn, signedInVisitor } from './people.ts'
import { type Met, type Sending, Visitor } from './visitor.ts'

const stack = useAccountsStack()

/** Refused, with no effect and no redirect. */
function expectRefused({ status, location, headers, body }: Met): void {
  expect({ status, location, cookies: headers.getSetCookie() }).toEqual({ status: 403, location: null, cookies: [] })
  expect(body).toContain('Please start again')
}

const forgeries: [string, Sending][] = [
  ['without its token', { fields: { csrf: '' } }],
  ['with a token that is none', { fields: { csrf: 'x'.repeat(43) } }],
  ['without the cookie', { withoutCookie: true }],
  ['from another origin', { headers: { origin: 'https://evil.example.com' } }],
  ['from another port of this host', { headers: { origin: 'http://127.0.0.1:1' } }],
  ['from an origin that is kept back', { headers: { origin: 'null' } }],
  ['from another site, as the browser says', { headers: { 'sec-fetch-site': 'cross-site' } }],
  ['from another host of this site, as the browser says', { headers: { 'sec-fetch-site': 'same-site' } }],
  ['from another site and with our origin kept back', { headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } }],
]

describe('A form of the authorization endpoint', () => {
  describe('Given a sign-in form (login CSRF, RFC 9700 §4.7)', () => {
    // [asvs 3.5.1] [threat 31]
    it.each(forgeries)('is refused %s', async (_, sending) => {
      const [user, client] = await Promise.all([registerUser(stack()), registerClient(stack())])
      const visitor = new Visitor(stack().baseUrl)
      const page = await visitor.get(queryOf(client))
      const fields = { email: user.email, password: PASSWORD, ...sending.fields }
      expectRefused(await visitor.submit(queryOf(client), page, 'login', { ...sending, fields }))
    })

    // [asvs 7.6.2] [threat 31]
    it('is refused with the token of another visitor', async () => {
      const [user, client] = await Promise.all([registerUser(stack()), registerClient(stack())])
      const [victim, attacker] = [new Visitor(stack().baseUrl), new Visitor(stack().baseUrl)]
      await victim.get(queryOf(client))
      const fields = { email: user.email, password: PASSWORD }
      expectRefused(await victim.submit(queryOf(client), await attacker.get(queryOf(client)), 'login', { fields }))
    })
  })

  describe('Given a consent form (RFC 6749 §10.12)', () => {
    // [asvs 3.5.1] [threat 32]
    it.each(forgeries)('is refused %s, and no code is issued', async (_, sending) => {
      const { visitor, query } = await signedInVisitor(stack())
      const page = await visitor.get(query)
      expectRefused(await visitor.submit(query, page, 'allow', sending))
      const silent = await visitor.get(`${query}&prompt=none`)
      expect(responseIn(silent)).toMatchObject({ error: 'consent_required' })
    })

    // [threat 33]
    it('is refused with the token of another session, and with the one from before the sign-in', async () => {
      const [victim, attacker] = [await signedInVisitor(stack()), await signedInVisitor(stack())]
      const theirs = await attacker.visitor.get(attacker.query)
      expectRefused(await victim.visitor.submit(victim.query, theirs, 'allow'))
      const before = new Visitor(stack().baseUrl)
      const csrf = formFields((await before.get(victim.query)).body).csrf ?? ''
      expectRefused(await victim.visitor.post(victim.query, `action=allow&csrf=${csrf}`))
    })

    it('is accepted from the service’s own page, as Chromium sends it under no-referrer and as other browsers do', async () => {
      const sendings = [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, { origin: stack().baseUrl }, {}]
      for (const headers of sendings) {
        const { visitor, query } = await signedInVisitor(stack())
        const answer = await visitor.submit(query, await visitor.get(query), 'allow', { headers })
        expect(responseIn(answer)).toMatchObject({ code: expect.any(String) })
      }
    })
  })

  describe('Given a form whose session has ended', () => {
    // [asvs 2.3.1]
    it('asks to sign in and decides nothing', async () => {
      const { visitor, query } = await signedInVisitor(stack())
      const page = await visitor.get(query)
      stack().advance(12 * 3600 + 1)
      const answer = await visitor.submit(query, page, 'allow')
      expect(answer.status).toBe(200)
      expect(answer.body).toContain('type="password"')
      stack().advance(-12 * 3600 - 1)
      expect(responseIn(await visitor.get(`${query}&prompt=none`))).toMatchObject({ error: 'consent_required' })
    })
  })
})
