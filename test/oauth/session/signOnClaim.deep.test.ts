import { randomBytes } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { createPendingSignIns } from '../../../lib/adapters/dynamodb/pendingSignInStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { byPassword } from '../../../lib/core/authentication.ts'
import { organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { readSession, strengthenSession } from '../../../lib/oauth/session/session.ts'
import { show, userWithTotp } from '../../signIn/secondFactor/people.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { queryOf } from '../authorize/people.ts'
import { Visitor } from '../authorize/visitor.ts'
import { requestToken, tokensIn } from '../token/tokenRequests.ts'
import { visitsOf } from './sessionVisits.ts'

const stack = useAccountsStack()
const { house, visit, granted, signInAgain } = visitsOf(stack)
const sso = organizationIdSchema.parse('5f2b8c1e-9d4a-4e6f-8a7b-1c2d3e4f5a6b')
const claimsOf = (token: string) => decodeJwt(token)

/** A browser whose user came by the single sign-on of an organization. */
async function signedOn(user: { id: string }) {
  const secret = randomBytes(32).toString('base64url')
  const now = stack().clock.now()
  const authentication = { at: now, methods: byPassword, sso }
  const session = {
    id: crypto.randomUUID(),
    userId: userIdSchema.parse(user.id),
    securityRev: 0,
    authentication,
    validUntil: now + 3_600_000,
  }
  await stack().sessions.start(digestSecret(secret), session, false)
  const visitor = new Visitor(stack().baseUrl)
  visitor.cookie = `__Host-session=${secret}`
  return { visitor, secret }
}

const secretOf = ({ cookie = '' }: Visitor) => cookie.replace('__Host-session=', '')

it('Access tokens say by whose single sign-on their user came, also after a refresh, until another sign-in', async () => {
  const own = await house()
  const { user } = await visit(own)
  const { visitor } = await signedOn(user)
  const grant = await granted(visitor, own, { scope: 'openid' })
  expect(claimsOf(grant.access_token)).toMatchObject({ sub: user.id, sso })
  stack().advance(7200)
  const refreshed = tokensIn(await requestToken(stack(), grant.refresh))
  expect(claimsOf(refreshed.access_token)).toMatchObject({ sso, idle: expect.any(Number) })
  await signInAgain(visitor, own, user.email)
  expect(claimsOf((await granted(visitor, own)).access_token).sso).toBeUndefined()
})

it('A second factor that is added later leaves it as it was', async () => {
  const { user } = await visit(await house())
  const { secret } = await signedOn(user)
  const deps = { ...stack(), ids: { secret: () => 'stronger', uuid: () => crypto.randomUUID() } }
  const session = await readSession(deps, secret)
  if (session === undefined) throw new Error('no session')
  const proven = { methods: ['otp'] as const }
  const stronger = await strengthenSession(deps, session, { proven, replaces: secret })
  expect((await readSession(deps, stronger))?.authentication).toMatchObject({ sso, methods: ['pwd', 'otp', 'mfa'] })
})

it('It waits for the second factor with the sign-in', async () => {
  const [own, user] = await Promise.all([house(), userWithTotp(stack())])
  const secret = randomBytes(32).toString('base64url')
  const now = stack().clock.now()
  const pending = { userId: user.id, securityRev: 0, validUntil: now + 60_000, atProvider: now, sso }
  const pendingSignIns = createPendingSignIns(stack().documents, tables.accounts.localName)
  await pendingSignIns.begin(digestSecret(secret), pending)
  const visitor = new Visitor(stack().baseUrl)
  visitor.cookie = `__Host-session=${secret}`
  const query = queryOf(own)
  await show({ visitor, query, page: await visitor.get(query) }, 'totp', user.code())
  const session = await stack().sessions.find(digestSecret(secretOf(visitor)))
  expect(session?.authentication).toMatchObject({ sso, methods: ['otp', 'mfa'] })
})
