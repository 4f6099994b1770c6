import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createAccountLinks } from '../../../lib/adapters/dynamodb/accountLinkStore.ts'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'
import { digestToken } from '../../../lib/users/links/accountLinks.ts'
import type { Account, AccountLink, AccountLinks, Accounts, LinkUse, Users } from '../../../lib/users/ports.ts'
import { NOW, useAuthenticators } from '../../signIn/authenticators/authenticatorTestBed.ts'
import { createAccountsInMemory } from './inMemoryAccounts.ts'

const bed = useAuthenticators()
const table = tables.accounts.localName

interface Stores {
  readonly users: Users
  readonly accounts: Accounts
  readonly links: AccountLinks
}

const memory = createAccountsInMemory()
const worlds: Record<string, () => Stores> = {
  'in memory': () => memory,
  'in DynamoDB': () => ({
    users: createUsers(bed.documents(), table),
    accounts: createAccounts(bed.documents(), table),
    links: createAccountLinks(bed.documents(), table),
  }),
}

async function newAccount({ users, accounts }: Stores, isVerified = true): Promise<Account> {
  const id = userIdSchema.parse(randomUUID())
  const flags = { isActive: true, isVerified, isSuperuser: false }
  await users.create({ id, email: `${id}@example.com`, username: id, ...flags, createdAt: NOW }, 'hash')
  return current(accounts, id)
}

async function current(accounts: Accounts, id: Account['user']['id']): Promise<Account> {
  const account = await accounts.find(id)
  if (account === undefined) throw new Error('no such account')
  return account
}

async function linkOf({ links }: Stores, { user, securityRev }: Account, more: Partial<AccountLink>): Promise<LinkUse> {
  const digest = digestToken(randomUUID())
  const about = { userId: user.id, email: user.email, securityRev, validUntil: NOW + 1000 }
  const link = { purpose: 'reset_password' as const, ...about, ...more }
  await links.issue(digest, link)
  return { digest, link, user, now: NOW }
}

const to = { passwordHash: 'new hash', keptFamily: undefined }

describe.each(Object.entries(worlds))('Accounts %s', (_, world) => {
  it('take a new password once, at the revision that was read, and end grants by it', async () => {
    const { accounts, ...other } = world()
    const account = await newAccount({ accounts, ...other })
    expect(await accounts.changePassword(account, { ...to, keptFamily: 'family' })).toBe('changed')
    const changed = await current(accounts, account.user.id)
    expect(changed).toMatchObject({ passwordHash: 'new hash', securityRev: 1, keptFamily: 'family' })
    expect(await accounts.changePassword(account, to)).toBe('conflict')
    const caller = { userId: account.user.id, securityRev: 0 }
    await expect(accounts.findCaller(caller)).rejects.toMatchObject({ code: 'invalid_token' })
    expect(await accounts.findCaller({ ...caller, familyId: 'family' })).toEqual(changed)
    expect(await accounts.endGrants(changed)).toBe('ended')
    await expect(accounts.findCaller({ ...caller, familyId: 'family' })).rejects.toMatchObject({
      code: 'invalid_token',
    })
    expect(await accounts.endGrants(changed)).toBe('conflict')
  })

  it('use a link once, while it lasts and the account is at its revision', async () => {
    const stores = world()
    const account = await newAccount(stores, false)
    const [first, second] = [await linkOf(stores, account, {}), await linkOf(stores, account, {})]
    const late = await linkOf(stores, account, { validUntil: NOW })
    expect(await stores.accounts.resetPassword(late, to)).toBe('link_invalid')
    expect(await stores.accounts.resetPassword(first, to)).toBe('done')
    expect(await stores.accounts.resetPassword(first, to)).toBe('link_invalid')
    expect(await stores.accounts.resetPassword(second, to)).toBe('link_invalid')
    expect(await stores.links.find(first.digest)).toMatchObject({ usedAt: NOW })
    expect(await current(stores.accounts, account.user.id)).toMatchObject({
      user: { isVerified: true },
      passwordHash: 'new hash',
      securityRev: 1,
    })
  })

  it('verify the address of a registration by its link', async () => {
    const stores = world()
    const account = await newAccount(stores, false)
    const use = await linkOf(stores, account, { purpose: 'verify_email' })
    expect(await stores.accounts.verifyEmail(use)).toBe('done')
    expect(await current(stores.accounts, account.user.id)).toMatchObject({
      user: { isVerified: true },
      securityRev: 0,
    })
    expect(await stores.accounts.verifyEmail(use)).toBe('link_invalid')
  })

  it('move to another address and back, each by a link, unless another account has it', async () => {
    const stores = world()
    const { accounts } = stores
    const [account, other] = [await newAccount(stores), await newAccount(stores)]
    const taken = await linkOf(stores, account, { purpose: 'change_email', email: other.user.email })
    expect(await accounts.changeEmail(taken, [])).toBe('email_taken')
    const email = `new-${account.user.email}`
    const change = await linkOf(stores, account, { purpose: 'change_email', email, familyId: 'family' })
    const former = { change: change.digest, email: account.user.email, validUntil: NOW + 1000 }
    expect(await accounts.changeEmail(change, [former])).toBe('done')
    expect(await accounts.changeEmail(change, [former])).toBe('link_invalid')
    const moved = await current(accounts, account.user.id)
    expect(moved).toMatchObject({ user: { email }, securityRev: 1, keptFamily: 'family', formerEmails: [former] })
    expect(await accounts.findByEmail(emailKey(email))).toEqual(moved)
    expect(await accounts.findByEmail(emailKey(account.user.email))).toBeUndefined()

    const undo = { ...(await linkOf(stores, account, { purpose: 'undo_email_change' })), user: moved.user }
    expect(await accounts.undoEmailChange(undo, { securityRev: 0, formerEmails: [] })).toBe('conflict')
    expect(await accounts.undoEmailChange(undo, { securityRev: 1, formerEmails: [] })).toBe('done')
    expect(await accounts.undoEmailChange(undo, { securityRev: 2, formerEmails: [] })).toBe('link_invalid')
    const back = await current(accounts, account.user.id)
    expect(back).toMatchObject({ user: { email: account.user.email }, securityRev: 2, formerEmails: [] })
    expect(back.keptFamily).toBeUndefined()
    expect(await accounts.findByEmail(emailKey(email))).toBeUndefined()
  })
})
