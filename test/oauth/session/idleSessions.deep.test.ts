import { expect, it } from '@jest/globals'
import { decodeJwt } from 'jose'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { requestToken, tokensIn } from '../token/tokenRequests.ts'
import { type Granted, visitsOf } from './sessionVisits.ts'

const stack = useAccountsStack()
const { house, visit, granted, signInAgain } = visitsOf(stack)
const hour = 3600

const idleIn = ({ access_token }: Pick<Granted, 'access_token'>) => decodeJwt(access_token).idle

async function refreshed(grant: Granted): Promise<Granted> {
  const { access_token, refresh_token } = tokensIn(await requestToken(stack(), grant.refresh))
  return { access_token, refresh: { ...grant.refresh, refresh_token } }
}

it('Tokens say how long their session was idle, if it was for an hour, and keep the longest pause', async () => {
  const own = await house()
  const { visitor } = await visit(own)
  let grant = await granted(visitor, own)
  expect(idleIn(grant)).toBeUndefined()
  const idle = []
  for (const pause of [hour - 1, hour, 2 * hour, hour + 5, 60]) {
    stack().advance(pause)
    grant = await refreshed(grant)
    idle.push(idleIn(grant))
  }
  expect(idle).toEqual([undefined, hour, 2 * hour, 2 * hour, 2 * hour])
})

it('A refresh token that is sent again gives no shorter pause', async () => {
  const own = await house()
  const first = await granted((await visit(own)).visitor, own)
  stack().advance(3 * hour)
  expect(idleIn(await refreshed(first))).toBe(3 * hour)
  stack().advance(5)
  expect(idleIn(await refreshed(first))).toBe(3 * hour + 5)
})

// [asvs 7.3.1] [threat 93.4]
it('A new authorization in an idle browser does not hide the pause; signing in again ends it', async () => {
  const own = await house()
  const { visitor, user } = await visit(own)
  expect(idleIn(await granted(visitor, own))).toBeUndefined()
  stack().advance(2 * hour)
  expect(idleIn(await granted(visitor, own))).toBe(2 * hour)
  stack().advance(60)
  expect(idleIn(await granted(visitor, own))).toBe(2 * hour)
  await signInAgain(visitor, own, user.email)
  expect(idleIn(await granted(visitor, own))).toBeUndefined()
})

// [threat 93.4]
it('A pause that ended by a refresh is not hidden by a new authorization', async () => {
  const own = await house()
  const { visitor } = await visit(own)
  const grant = await granted(visitor, own)
  stack().advance(2 * hour)
  await refreshed(grant)
  stack().advance(60)
  expect(idleIn(await granted(visitor, own))).toBe(2 * hour)
})

it('A session that a client uses each quarter of an hour was never idle', async () => {
  const own = await house()
  const { visitor } = await visit(own)
  let grant = await granted(visitor, own)
  for (let quarter = 0; quarter < 12; quarter += 1) {
    stack().advance(hour / 4)
    grant = await refreshed(grant)
  }
  expect(idleIn(grant)).toBeUndefined()
  expect(idleIn(await granted(visitor, own))).toBeUndefined()
})
