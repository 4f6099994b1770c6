import { describe, expect, it } from '@jest/globals'
import { removeTotp } from '../../../lib/authenticators/factors/enrollTotp.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { textOf } from '../../oauth/authorize/page.ts'
import { PASSWORD, queryOf, registerUser, responseIn, signInAt } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { race } from '../../support/race.ts'
import { pendingVisitor, show, userWithTotp } from './people.ts'

const stack = useAccountsStack()

const secretIn = ({ cookie = '' }: Visitor) => cookie.replace('__Host-session=', '')
const sessionOf = (visitor: Visitor) => stack().sessions.find(digestSecret(secretIn(visitor)))

/** Whether the client gets a code in this browser. */
async function isSignedIn(visitor: Visitor, query: string): Promise<boolean> {
  return 'code' in responseIn(await visitor.get(`${query}&prompt=none`))
}

describe('A sign-in to an account with a second factor', () => {
  describe('Given a right password', () => {
    // [asvs 6.3.3]
    it('asks for the second factor, and starts no session', async () => {
      const { visitor, query, answer, page, user } = await pendingVisitor(stack())
      expect(answer).toMatchObject({ status: 303, location: `?${query}` })
      expect(page.status).toBe(200)
      expect(textOf(page.body)).toMatch(/^Confirm that it’s you Signing in as .* Code from your authenticator app/)
      expect(page.body).toContain(user.email)
      expect(await sessionOf(visitor)).toBeUndefined()
      expect(responseIn(await visitor.get(`${query}&prompt=none`))).toMatchObject({ error: 'login_required' })
    })

    it('keeps what it knows on the server for 10 minutes, by the digest of the secret', async () => {
      const { visitor, query, user, ...rest } = await pendingVisitor(stack())
      expect(visitor.received.at(-1)).toMatch(/Max-Age=600$/)
      expect(JSON.stringify(await stack().stored())).not.toContain(secretIn(visitor))
      stack().advance(602)
      const late = await show({ visitor, query, ...rest }, 'totp', user.code())
      expect({ status: late.status, text: textOf(late.body) }).toMatchObject({
        status: 400,
        text: expect.stringMatching(/^Sign in .*took too long/),
      })
      expect(await isSignedIn(visitor, query).catch(() => false)).toBe(false)
    })

    // [threat 94]
    it('has no other way past the second factor: not consent, not another form, not a silent request', async () => {
      const { visitor, query, page } = await pendingVisitor(stack())
      for (const action of ['allow', 'deny']) {
        const answer = await visitor.submit(query, page, action)
        expect({ status: answer.status, location: answer.location }).toEqual({ status: 200, location: null })
        expect(textOf(answer.body)).toMatch(/^Confirm/)
      }
      expect(responseIn(await visitor.get(`${query}&prompt=none`))).toMatchObject({ error: 'login_required' })
    })

    it('does not make the browser known yet', async () => {
      const { visitor, user, ...rest } = await pendingVisitor(stack())
      expect(visitor.knownBrowser).toBeUndefined()
      await show({ visitor, ...rest }, 'totp', user.code())
      expect(visitor.knownBrowser).toBeDefined()
    })

    // [threat 101]
    it('ends with the password that was right', async () => {
      const { visitor, query, user, ...rest } = await pendingVisitor(stack())
      const account = await stack().accounts.find(user.id)
      if (account === undefined) throw new Error('no account')
      await stack().accounts.changePassword(account, {
        passwordHash: account.passwordHash ?? '',
        keptFamily: undefined,
      })
      const answer = await show({ visitor, query, ...rest }, 'totp', user.code())
      expect(textOf(answer.body)).toMatch(/^Sign in/)
      expect(await sessionOf(visitor)).toBeUndefined()
    })

    it('starts over where the last second factor was removed meanwhile: recovery codes alone are none', async () => {
      const { visitor, query, user, ...rest } = await pendingVisitor(stack())
      await removeTotp(stack().authenticatorDeps, { userId: user.id, securityRev: 0 })
      const answer = await show({ visitor, query, ...rest }, 'recovery_code', user.recoveryCodes[0] ?? '')
      expect(textOf(answer.body)).toMatch(/^Sign in .*took too long/)
      expect(await sessionOf(visitor)).toBeUndefined()
      expect(textOf((await visitor.get(query)).body)).toMatch(/^Sign in/)
    })

    // [threat 101]
    it('ends for an account that is switched off meanwhile', async () => {
      const { visitor, query, user } = await pendingVisitor(stack())
      await stack().setActive(user.id, false)
      expect(textOf((await visitor.get(query)).body)).toMatch(/^Sign in/)
    })
  })

  describe('Given a second factor', () => {
    it.each(['totp', 'recovery_code'] as const)('signs in with %s, and says so in the session', async (factor) => {
      const met = await pendingVisitor(stack())
      const proof = factor === 'totp' ? met.user.code() : (met.user.recoveryCodes[0] ?? '')
      const answer = await show(met, factor, proof)
      expect(answer).toMatchObject({ status: 303, location: `?${met.query}` })
      expect(await sessionOf(met.visitor)).toMatchObject({
        userId: met.user.id,
        authentication: { methods: ['pwd', 'otp', 'mfa'] },
      })
      expect(await isSignedIn(met.visitor, met.query)).toBe(true)
    })

    it('takes spaces and capitals in codes as people type them', async () => {
      const met = await pendingVisitor(stack())
      const code = met.user.code()
      expect((await show(met, 'totp', `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(303)
      const again = await pendingVisitor(stack())
      const typed = (again.user.recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' ')
      expect((await show(again, 'recovery_code', typed)).status).toBe(303)
    })

    // [threat 99]
    it('has a new secret at each step, and none of the old ones works any more (session fixation)', async () => {
      const { visitor, query, user, ...rest } = await pendingVisitor(stack())
      const planted = new Visitor(stack().baseUrl)
      planted.cookie = visitor.cookie
      await show({ visitor, query, ...rest }, 'totp', user.code())
      expect(visitor.cookie).not.toBe(planted.cookie)
      const secrets = visitor.received.filter((cookie) => cookie.startsWith('__Host-session='))
      expect(new Set(secrets.map((cookie) => cookie.split(';')[0])).size).toBe(3)
      expect(textOf((await planted.get(query)).body)).toMatch(/^Sign in/)
    })

    it('is asked for again where it is wrong, with a notice beside its field', async () => {
      const met = await pendingVisitor(stack())
      for (const [factor, proof] of [
        ['totp', '000000'],
        ['totp', ''],
        ['recovery_code', 'aaaaa-aaaaa-aaaaa-aaaaa'],
      ] as const) {
        const answer = await show(met, factor, proof)
        expect(answer.status).toBe(400)
        expect(answer.body).toContain('role="alert"')
        expect(textOf(answer.body)).toContain('This code is wrong')
      }
      expect((await show(met, 'totp', met.user.code())).status).toBe(303)
    })

    // [threat 100]
    it('is refused with 429 and Retry-After after 10 wrong codes, for a right one too', async () => {
      const met = await pendingVisitor(stack())
      for (let n = 0; n < 10; n++) expect((await show(met, 'totp', '000000')).status).toBe(400)
      const answer = await show(met, 'totp', met.user.code())
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(textOf(answer.body)).toContain('Too many attempts')
      expect(await sessionOf(met.visitor)).toBeUndefined()
    })

    // [threat 100.1]
    it('is refused in no other browser because of that, nor are recovery codes in this one', async () => {
      const met = await pendingVisitor(stack())
      for (let n = 0; n < 11; n++) await show(met, 'totp', '000000')
      const elsewhere = await pendingVisitor(stack(), met.user)
      expect((await show(elsewhere, 'totp', met.user.code())).status).toBe(303)
      expect((await show(met, 'recovery_code', met.user.recoveryCodes[0] ?? '')).status).toBe(303)
    })

    it('is refused after 10 wrong codes also where the password is entered again in this browser', async () => {
      const met = await pendingVisitor(stack())
      for (let n = 0; n < 10; n++) await show(met, 'totp', '000000')
      await signInAt(met.visitor, met.query, met.user.email)
      const page = await met.visitor.get(met.query)
      expect((await show({ ...met, page }, 'totp', met.user.code())).status).toBe(429)
    })

    it('of a suspended app is refused, with the way out, until a recovery code signs in', async () => {
      const { authenticatorDeps: deps } = stack()
      const met = await pendingVisitor(stack())
      const { id: userId } = met.user
      const seen = await deps.totpAuthenticators.find(userId)
      if (seen === undefined) throw new Error('no app')
      const count = { securityRev: 0, from: 'pending', limit: 100 } as const
      for (let n = 0; n < 100; n++) await deps.totpAuthenticators.countTry(userId, seen, count)
      const answer = await show(met, 'totp', met.user.code())
      expect(answer.status).toBe(400)
      expect(textOf(answer.body)).toContain('your authenticator app is suspended')
      expect(answer.body).toContain('href="/api/auth/link?purpose=forgot_password')
      await show(met, 'recovery_code', met.user.recoveryCodes[0] ?? '')
      const again = await pendingVisitor(stack(), met.user)
      expect((await show(again, 'totp', met.user.code())).status).toBe(303)
    })

    it('of another user is refused', async () => {
      const [met, other] = [await pendingVisitor(stack()), await userWithTotp(stack())]
      expect((await show(met, 'recovery_code', other.recoveryCodes[0] ?? '')).status).toBe(400)
    })

    it('is not read without its page’s token: the page is shown again', async () => {
      const met = await pendingVisitor(stack())
      const answer = await show(met, 'totp', met.user.code(), { fields: { csrf: 'x'.repeat(43) } })
      expect([answer.status, answer.location, answer.headers.getSetCookie()]).toEqual([303, `?${met.query}`, []])
      expect(await sessionOf(met.visitor)).toBeUndefined()
    })
  })

  describe('Given many of the same at once', () => {
    // [asvs 6.5.1] [threat 96]
    it('becomes one session, with one code and with ten', async () => {
      for (const proofs of ['one', 'ten'] as const) {
        const met = await pendingVisitor(stack())
        const codes = proofs === 'one' ? [met.user.recoveryCodes[0] ?? ''] : met.user.recoveryCodes
        const cookie = met.visitor.cookie
        const answers = await race((place) => {
          const visitor = new Visitor(stack().baseUrl)
          visitor.cookie = cookie
          return show({ ...met, visitor }, 'recovery_code', codes[place % codes.length] ?? '')
        })
        expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
        const sessions = (await stack().stored()).filter(
          ({ pk, userId }) => String(pk).startsWith('SESSION#') && userId === met.user.id,
        )
        expect(sessions).toHaveLength(1)
      }
    })
  })

  describe('Given a browser with a session', () => {
    it('replaces it only once the second factor is shown, and keeps what it gave to first-party clients', async () => {
      const met = await pendingVisitor(stack())
      await show(met, 'totp', met.user.code())
      await met.visitor.get(met.query)
      const [first, { visitor, client }] = [secretIn(met.visitor), met]
      const before = await stack().sessions.find(digestSecret(first))
      expect(before?.id).toBeDefined()
      const query = queryOf(client, { prompt: 'login' })
      await signInAt(visitor, query, met.user.email)
      expect(await stack().sessions.find(digestSecret(first))).toBeDefined()
      stack().advance(30)
      await show({ visitor, query, page: await visitor.get(query) }, 'totp', met.user.code())
      expect(await stack().sessions.find(digestSecret(first))).toBeUndefined()
      expect((await sessionOf(visitor))?.id).toBe(before?.id)
    })

    it('ends it with the pending sign-in where the user chooses another account', async () => {
      const met = await pendingVisitor(stack())
      await show(met, 'totp', met.user.code())
      const first = secretIn(met.visitor)
      const query = queryOf(met.client, { prompt: 'login' })
      await signInAt(met.visitor, query, met.user.email)
      const pending = met.visitor.cookie
      await met.visitor.submit(query, await met.visitor.get(query), 'switch')
      expect(met.visitor.cookie).toBeUndefined()
      expect(await stack().sessions.find(digestSecret(first))).toBeUndefined()
      met.visitor.cookie = pending
      expect(textOf((await met.visitor.get(query)).body)).toMatch(/^Sign in/)
    })
  })

  describe('Given a store that fails', () => {
    // [threat 95]
    it('never signs in by the password alone', async () => {
      const met = await pendingVisitor(stack())
      const visitor = new Visitor(stack().baseUrl)
      const page = await visitor.get(met.query)
      stack().database.fail({ operation: 'Query', times: 9, error: { type: 'ValidationException' } })
      const fields = { email: met.user.email, password: PASSWORD }
      expect((await visitor.submit(met.query, page, 'login', { fields })).status).toBe(503)
      expect(await sessionOf(visitor)).toBeUndefined()
    })
  })

  it('asks an account without one for the password alone', async () => {
    const { query } = await pendingVisitor(stack())
    const user = await registerUser(stack())
    const visitor = new Visitor(stack().baseUrl)
    await signInAt(visitor, query, user.email)
    expect(await sessionOf(visitor)).toMatchObject({ authentication: { methods: ['pwd'] } })
  })

  it('reads the list of second factors only of an account that is marked to have one', async () => {
    const met = await pendingVisitor(stack())
    const queriesOf = async (email: string) => {
      const visitor = new Visitor(stack().baseUrl)
      const page = await visitor.get(met.query)
      stack().database.reset()
      await visitor.submit(met.query, page, 'login', { fields: { email, password: PASSWORD } })
      return stack()
        .database.calls()
        .filter(({ operation }) => operation === 'Query').length
    }
    expect(await queriesOf((await registerUser(stack())).email)).toBe(0)
    expect(await queriesOf(met.user.email)).toBe(1)
  })
})
