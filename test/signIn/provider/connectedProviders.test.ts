import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createAccountDeletions } from '../../../lib/adapters/dynamodb/accountDeletionStore.ts'
import { createProviderConnections } from '../../../lib/adapters/dynamodb/providerConnectionStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { disconnectProvider } from '../../../lib/authenticators/security/connectedProviders.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import { PASSWORD, registerUser } from '../../oauth/authorize/people.ts'
import { argon2idPasswords } from '../../support/argon2idPasswords.ts'
import { type Browser, openSignIn, useProvider } from './providerVisits.ts'

const { stack, provider, person, identities, activityOf, browser } = useProvider()
const PAGE = '/api/account/security'
const table = tables.accounts.localName

const connections = () => createProviderConnections(stack().documents, table)
const userOf = async (subject: string) => (await identities().find({ issuer: provider().issuer, subject }))?.userId

async function registerWithoutPassword() {
  const id = stack().ids.uuid() as UserId
  const flags = { isActive: true, isVerified: true, isSuperuser: false }
  const user = { id, email: `${id}@example.com`, username: `u-${id.slice(0, 8)}`, ...flags }
  await stack().users.create({ ...user, createdAt: stack().clock.now() })
  return user
}

/** An account with these identities, without a password unless it is given one. */
async function connected(subjects: readonly string[], { hasPassword = false } = {}) {
  const user = hasPassword ? await registerUser(stack()) : await registerWithoutPassword()
  const account = await stack().accounts.find(user.id)
  if (account === undefined) throw new Error('no account')
  for (const subject of subjects) {
    const identity = { issuer: provider().issuer, subject, providerId: 'acme', email: 'me@acme.example' }
    expect(await identities().link(account, identity, stack().clock.now())).toBe('linked')
  }
  const caller = { userId: user.id, securityRev: account.securityRev }
  return { user, account, caller, ids: (await connections().list(user.id)).map(({ id }) => id) }
}

/** A browser that has just signed in at the provider. */
async function signedIn(subject: string): Promise<Browser> {
  const visitor = browser()
  const { page } = await openSignIn(stack(), visitor)
  expect(await visitor.signInAs({ subject }, page)).toMatchObject({ status: 303 })
  return visitor
}

describe('The page of sign-in and security', () => {
  // [threat 115.24]
  it('lists the connected providers, and disconnects one after a recent sign-in', async () => {
    const { subject } = person()
    const { user, ids } = await connected([subject], { hasPassword: true })
    const visitor = await signedIn(subject)
    const list = await visitor.get(PAGE)
    expect(list.text).toContain('Acme &amp; Sons')
    expect(list.text).toContain('Connected 20 Nov 2026 · me@acme.example')
    const confirm = await visitor.get(`${PAGE}?view=provider&id=${ids[0]}`)
    expect(confirm.text).toContain('Disconnect Acme &amp; Sons?')
    stack().advance(602)
    const late = await visitor.submit(PAGE, confirm, { action: 'disconnect_provider' })
    expect(late.body).toContain('name="password"')
    expect(await userOf(subject)).toBe(user.id)
    const again = await signedIn(subject)
    const form = await again.get(`${PAGE}?view=provider&id=${ids[0]}`)
    expect(await again.submit(PAGE, form, {})).toMatchObject({ location: `${PAGE}?done=provider_disconnected` })
    expect((await again.get(`${PAGE}?done=provider_disconnected`)).text).toContain('The provider was disconnected.')
    expect((await again.get(PAGE)).body).not.toContain('Acme')
    expect(await userOf(subject)).toBeUndefined()
    expect(await activityOf(user.id)).toContain('provider_disconnected')
    expect(await again.submit(PAGE, form, {})).toMatchObject({ status: 422 })
  })

  it('says why an account without a password keeps its last provider', async () => {
    const { subject } = person()
    const { ids } = await connected([subject])
    const visitor = await signedIn(subject)
    const page = await visitor.get(`${PAGE}?view=provider&id=${ids[0]}`)
    expect(page.text).toContain('Your account has no password, so Acme &amp; Sons is the only way to sign in to it.')
    expect(page.body).not.toContain('disconnect_provider')
    expect(page.body).toContain('/api/auth/link?purpose=forgot_password')
    const list = await visitor.get(PAGE)
    const refused = await visitor.submit(PAGE, list, { action: 'disconnect_provider', id: ids[0] ?? '' })
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('is the only way to sign in') })
    expect(await userOf(subject)).toBeDefined()
  })

  it('shows a provider that a new password disconnected, until its user removes it', async () => {
    const [first, second] = [person(), person()]
    const { account, caller, ids } = await connected([first.subject])
    const passwordHash = await argon2idPasswords.hash(PASSWORD)
    await stack().accounts.changePassword(account, { passwordHash, keptFamily: undefined })
    const changed = await stack().accounts.find(caller.userId)
    if (changed === undefined) throw new Error('no account')
    const identity = { issuer: provider().issuer, subject: second.subject, providerId: 'gone' }
    await identities().link(changed, identity, stack().clock.now())
    const visitor = await signedIn(second.subject)
    const { text } = await visitor.get(PAGE)
    expect(text).toContain('Off since your new password or address')
    expect(text).toContain(new URL(provider().issuer).host)
    const form = await visitor.get(`${PAGE}?view=provider&id=${ids[0]}`)
    expect((await visitor.submit(PAGE, form, {})).status).toBe(303)
    expect(await userOf(first.subject)).toBeUndefined()
    expect(await userOf(second.subject)).toBe(caller.userId)
  })
})

describe('The erasure of an account', () => {
  it('removes its identities, which then lead to a new account', async () => {
    const somebody = person()
    const { caller } = await connected([somebody.subject])
    const names = { accounts: table, billing: tables.billing.localName, auditLog: undefined }
    await createAccountDeletions(stack().documents, names).eraseBelongings(caller.userId)
    expect(await connections().list(caller.userId)).toEqual([])
    expect(JSON.stringify(await stack().stored())).not.toContain(somebody.subject)
    await signedIn(somebody.subject)
    expect(await userOf(somebody.subject)).not.toBe(caller.userId)
  })
})

describe('The disconnection of a provider', () => {
  const deps = () => ({ accounts: stack().accounts, connections: connections() })

  // [threat 115.24]
  it('leaves an account without a password one of two providers, even if both are disconnected at once', async () => {
    const subjects = [randomUUID(), randomUUID()]
    const { caller, ids } = await connected(subjects)
    const outcomes = await Promise.allSettled(ids.map((id) => disconnectProvider(deps(), caller, id)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
    const left = await connections().list(caller.userId)
    expect(left.length).toBeGreaterThanOrEqual(1)
    await expect(disconnectProvider(deps(), caller, left[0]?.id ?? '')).rejects.toMatchObject({
      code: left.length === 1 ? 'last_way_to_sign_in' : undefined,
    })
  })

  it('is refused if the other provider went in the meantime', async () => {
    const { caller, ids } = await connected([randomUUID(), randomUUID()])
    const [one = '', other = ''] = ids
    await connections().remove(caller, other, undefined)
    expect(await connections().remove(caller, one, other)).toBe('refused')
    expect(await connections().list(caller.userId)).toHaveLength(1)
  })

  it('does not count a provider that a new password disconnected as another way', async () => {
    const { account, caller } = await connected([randomUUID()])
    await stack().accounts.changePassword(account, { passwordHash: 'hash', keptFamily: undefined })
    const changed = await stack().accounts.find(caller.userId)
    if (changed === undefined) throw new Error('no account')
    const identity = { issuer: provider().issuer, subject: randomUUID(), providerId: 'acme' }
    await identities().link(changed, identity, stack().clock.now() + 1)
    const [, live] = await connections().list(caller.userId)
    const withoutPassword = { ...changed, passwordHash: undefined }
    const accounts = { ...stack().accounts, findCaller: async () => withoutPassword }
    const now = { ...caller, securityRev: changed.securityRev }
    await expect(disconnectProvider({ ...deps(), accounts }, now, live?.id ?? '')).rejects.toMatchObject({
      code: 'last_way_to_sign_in',
    })
  })

  // [threat 115.24]
  it('is refused to others and to an ended session', async () => {
    const { caller, ids } = await connected([randomUUID(), randomUUID()])
    const eve = await connected([])
    const [id = ''] = ids
    await expect(disconnectProvider(deps(), eve.caller, id)).rejects.toMatchObject({ code: 'authenticator_not_found' })
    expect(await connections().remove(eve.caller, id, undefined)).toBe('not_found')
    const ended = { ...caller, securityRev: 7 }
    await expect(connections().remove(ended, id, undefined)).rejects.toMatchObject({ code: 'invalid_token' })
    expect(await connections().list(caller.userId)).toHaveLength(2)
  })
})
