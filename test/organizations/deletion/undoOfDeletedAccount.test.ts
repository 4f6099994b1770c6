import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { GRACE } from '../../../lib/core/deletion.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { deleteAccount } from '../../../lib/users/deletion/deleteAccount.ts'
import { restoreAccount } from '../../../lib/users/deletion/restoreAccount.ts'
import { undoEmailChange } from '../../../lib/users/email/undoEmailChange.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'
import { digestToken, issueLink } from '../../../lib/users/links/accountLinks.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { accountDeletionDeps } from './accountDeletionDeps.ts'

const START = Date.UTC(2026, 0, 15)
const undoable = { language: 'en' } as const

const { client, names } = await openDocuments()

const tokenIn = (text = '') => /token=([\w-]+)/.exec(text)?.[1] ?? ''

/** An account that was moved to the address of another person, who then asked for its deletion. */
async function taken() {
  const { deps, mails } = accountDeletionDeps(client, names, () => START)
  const userId = userIdSchema.parse(randomUUID())
  const [own, theirs] = [`${userId}@example.com`, `${userId}@example.net`]
  const flags = { isActive: true, isVerified: true, isSuperuser: false }
  const user = { id: userId, username: `u-${userId.slice(0, 13)}`, email: own, createdAt: START, ...flags }
  await createUsers(client, names.accounts).create(user, 'hash')
  const of = { userId, email: theirs, securityRev: 0 }
  const change = digestToken(tokenIn((await issueLink(deps, { purpose: 'change_email', ...of })).link))
  const link = await deps.links.find(change)
  if (link === undefined) throw new Error('The link was issued')
  const former = { change, email: own, validUntil: START + GRACE }
  expect(await deps.accounts.changeEmail({ digest: change, link, user, now: START }, [former])).toBe('done')
  const undo = await issueLink(deps, { purpose: 'undo_email_change', userId, email: own, securityRev: 0, change })
  await deleteAccount(deps, { userId, securityRev: 1 }, 'en')
  const account = () => deps.accounts.find(userId)
  return { deps, account, userId, own, theirs, undo: tokenIn(undo.link), mailed: tokenIn(mails.at(-1)?.text) }
}

describe('An account that was moved to another address and deleted there', () => {
  it('is had back by the link that undoes the move, and the next one restores it', async () => {
    const { deps, account, own, theirs, undo, mailed } = await taken()
    const { next } = await undoEmailChange(deps, { token: undo, ...undoable })
    expect(await account()).toMatchObject({ user: { email: own, isActive: false }, deletion: { requestedAt: START } })
    expect(await deps.accounts.findByEmail(emailKey(theirs))).toBeUndefined()
    await expect(restoreAccount(deps, mailed)).rejects.toMatchObject({ code: 'link_invalid' })
    expect(next.purpose).toBe('restore_account')
    await restoreAccount(deps, tokenIn(next.url))
    expect(await account()).toMatchObject({ user: { email: own, isActive: true }, securityRev: 4 })
    expect((await account())?.deletion).toBeUndefined()
  })

  it('is had back after it was restored there as well', async () => {
    const { deps, account, own, undo, mailed } = await taken()
    await restoreAccount(deps, mailed)
    const { next } = await undoEmailChange(deps, { token: undo, ...undoable })
    expect(next.purpose).toBe('reset_password')
    expect(await account()).toMatchObject({ user: { email: own, isActive: true } })
  })

  it('is not once its erasure has begun', async () => {
    const { deps, account, userId, theirs, undo } = await taken()
    const deletion = (await account())?.deletion
    if (deletion === undefined) throw new Error('The deletion was asked for')
    expect(await deps.deletions.begin(userId, deletion, deletion.eraseAfter)).toBe('begun')
    await expect(undoEmailChange(deps, { token: undo, ...undoable })).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    expect((await account())?.user.email).toBe(theirs)
  })
})
