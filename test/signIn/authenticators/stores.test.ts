import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { createAccountLinks } from '../../../lib/adapters/dynamodb/accountLinkStore.ts'
import { createDueResetSteps } from '../../../lib/adapters/dynamodb/factorResetStepStore.ts'
import type { FactorReset, Passkey } from '../../../lib/authenticators/ports.ts'
import type { Caller } from '../../../lib/core/identity.ts'
import { type OrganizationId, organizationIdSchema, type UserId } from '../../../lib/core/ids.ts'
import type { AuditEntry } from '../../../lib/organizations/ports.ts'
import { digestToken } from '../../../lib/users/links/accountLinks.ts'
import type { LinkUse } from '../../../lib/users/ports.ts'
import { entryBy } from '../../organizations/members/entryBy.ts'
import { NOW, type Person, useAuthenticators } from './authenticatorTestBed.ts'
import { memoryAuthenticators, type Stores } from './memoryAuthenticators.ts'

const bed = useAuthenticators()
const revisions = new Map<UserId, number>()
const credentials = new Map<UserId, number>()
const owners = new Map<OrganizationId, UserId[]>()
const links = new Set<string>()
const memory = {
  credentialsOf: (userId: UserId) => credentials.get(userId) ?? 0,
  takeLink: ({ digest }: LinkUse) => links.delete(digest),
  endGrants: (userId: UserId) => void revisions.set(userId, (revisions.get(userId) ?? 0) + 1),
  revisionOf: (userId: UserId) => revisions.get(userId),
  ownersOf: (organizationId: OrganizationId) => owners.get(organizationId) ?? [],
  entries: [] as AuditEntry[],
}
const ended = { code: 'invalid_token' }
const flags = { isActive: true, isVerified: true, isSuperuser: false }

/** A new organization with this owner, in both worlds. */
async function organizationOf(owner: Caller): Promise<OrganizationId> {
  const organizationId = organizationIdSchema.parse(randomUUID())
  owners.set(organizationId, [owner.userId])
  await bed.makeOwner(organizationId, owner)
  return organizationId
}

/** An approval by this owner, with its entry. */
function approvalBy({ userId }: Caller, organizationId: OrganizationId) {
  const done = { action: 'member.factors_reset_approved', detail: {} } as const
  const entry = { ...entryBy(userId, organizationId, NOW, done), target: randomUUID() }
  return { effectiveAt: NOW + 9, steps: [], approval: { at: NOW, by: userId, organizationId }, entry }
}

/** An operator's entry about a user. */
function operatedEntry(target: UserId): AuditEntry {
  const organizationId = organizationIdSchema.parse(randomUUID())
  const actor = { type: 'operator', id: null } as const
  return { organizationId, id: randomUUID(), at: NOW, actor, action: 'user.factors_removed', target, detail: {} }
}

/** The ids of the entries of an organization in either world. */
async function entriesOf(organizationId: OrganizationId): Promise<string[]> {
  const inMemory = memory.entries.filter((entry) => entry.organizationId === organizationId)
  return [...inMemory, ...(await bed.entries(organizationId))].map(({ id }) => id)
}

async function person(): Promise<Person> {
  const ada = await bed.person()
  revisions.set(ada.userId, 0)
  return ada
}

/** Changes the account in both worlds. */
async function endGrants(caller: Caller): Promise<void> {
  revisions.set(caller.userId, 1)
  await bed.setAccount(caller, 'securityRev', 1)
}

function passkeyOf(more: Partial<Passkey> = {}): Passkey {
  const times = { createdAt: NOW, lastUsedAt: NOW }
  const flags = { backupEligible: true, backedUp: false, counter: 0, transports: ['usb'] }
  return { id: randomUUID(), name: 'Key', publicKey: 'AAAA', ...flags, ...times, ...more }
}

async function challengeIn({ challenges }: Stores, purpose: 'registration' | 'only_factor' = 'registration') {
  const challenge = randomUUID()
  await challenges.issue(challenge, { purpose, validUntil: NOW + 1000 })
  return challenge
}

async function added(stores: Stores, by: Caller, passkey = passkeyOf()): Promise<Passkey> {
  const use = { challenge: await challengeIn(stores), now: NOW, limit: 3 }
  expect(await stores.passkeys.add(by, passkey, use)).toBe('added')
  return passkey
}

const totpAt = (lastStep: number, cipher = 'cipher') => ({ cipher, lastStep, createdAt: NOW, lastUsedAt: NOW })

async function confirmed(stores: Stores, by: Caller) {
  const pending = { id: randomUUID(), cipher: 'cipher', validUntil: NOW + 1000 }
  await stores.totpAuthenticators.begin(by, pending)
  expect(await stores.totpAuthenticators.confirm(by, pending, totpAt(10))).toBe('confirmed')
}

const resetOf = (more: Partial<FactorReset> = {}): FactorReset => ({
  id: randomUUID(),
  requestedAt: NOW,
  credentialsRev: 0,
  language: 'en',
  ...more,
})

/** The account of a person, as it was read. */
const accountOf = ({ userId, email }: Person) => ({
  user: { ...flags, id: userId, email, username: userId, createdAt: NOW },
  securityRev: revisions.get(userId) ?? 0,
})

/** A link that is not used yet, in both worlds. */
async function linkOf(ada: Person): Promise<LinkUse> {
  const digest = digestToken(randomUUID())
  const about = { purpose: 'confirm_factor_reset', userId: ada.userId, email: ada.email, securityRev: 0 } as const
  const link = { ...about, validUntil: NOW + 1000 }
  links.add(digest)
  await createAccountLinks(bed.documents(), 'accounts').issue(digest, link)
  return { digest, link, user: accountOf(ada).user, now: NOW }
}

describe.each<[string, () => Stores]>([
  ['in memory', () => memoryAuthenticators(memory)],
  [
    'in DynamoDB',
    () => ({
      ...bed.deps(),
      steps: createDueResetSteps(bed.documents(), 'accounts'),
      resets: bed.resets(),
      approvals: bed.approvals(),
      operatedFactors: bed.operatedFactors(),
    }),
  ],
])('Stores of authenticators, %s', (_, create) => {
  it('find a challenge until it is used, with what it is for', async () => {
    const [stores, ada] = [create(), await person()]
    const challenge = randomUUID()
    expect(await stores.challenges.find(challenge)).toBeUndefined()
    const record = { purpose: 'second_factor', userId: ada.userId, validUntil: NOW + 1000 } as const
    await stores.challenges.issue(challenge, record)
    expect(await stores.challenges.find(challenge)).toEqual(record)
    const passkey = await added(stores, ada)
    const use = { challenge, now: NOW, counter: 0, backedUp: false }
    expect(await stores.passkeys.use(ada.userId, passkey.id, use)).toBe('used')
    expect(await stores.challenges.find(challenge)).toBeUndefined()
  })

  it('list what a user has, passkeys by age, and nothing of another', async () => {
    const [stores, ada, eve] = [create(), await person(), await person()]
    const none = { passkeys: [], totp: undefined, recoveryCodes: undefined }
    expect(await stores.authenticators.list(ada.userId)).toEqual(none)
    const newer = await added(stores, ada, passkeyOf({ createdAt: NOW + 1 }))
    const older = await added(stores, ada, passkeyOf({ createdAt: NOW }))
    await confirmed(stores, ada)
    await stores.recoveryCodes.replace(ada, ['one', 'two'], { createdAt: NOW })
    expect(await stores.authenticators.list(ada.userId)).toEqual({
      passkeys: [older, newer],
      totp: totpAt(10),
      recoveryCodes: { left: 2, createdAt: NOW, lastUsedAt: NOW },
    })
    expect(await stores.authenticators.list(eve.userId)).toEqual(none)
  })

  it('add a passkey by a challenge that is good, once, while there is room and nobody has the credential', async () => {
    const [stores, ada, eve] = [create(), await person(), await person()]
    const challenge = await challengeIn(stores)
    const add = (by: Caller, passkey: Passkey, use: { challenge: string; now?: number }) =>
      stores.passkeys.add(by, passkey, { now: NOW, limit: 3, ...use })
    expect(await add(ada, passkeyOf(), { challenge, now: NOW + 1000 })).toBe('challenge_used')
    const passkey = passkeyOf()
    expect(await add(ada, passkey, { challenge })).toBe('added')
    expect(await add(ada, passkeyOf(), { challenge })).toBe('challenge_used')
    const other = await challengeIn(stores)
    expect(await add(eve, passkey, { challenge: other })).toBe('already_registered')
    expect(await add(ada, passkey, { challenge: other })).toBe('already_registered')
    await added(stores, ada)
    await added(stores, ada)
    expect(await add(ada, passkeyOf(), { challenge: other })).toBe('too_many')
    expect(await stores.challenges.find(other)).toBeDefined()
    expect(await stores.passkeys.remove(ada, passkey.id)).toBe('removed')
    expect(await add(ada, passkeyOf(), { challenge: other })).toBe('added')
  })

  it('find, rename and remove a passkey of its user only', async () => {
    const [stores, ada, eve] = [create(), await person(), await person()]
    const passkey = await added(stores, ada)
    expect(await stores.passkeys.find(passkey.id)).toEqual({ userId: ada.userId, passkey })
    expect(await stores.passkeys.rename(eve, passkey.id, 'Hers')).toBe('not_found')
    expect(await stores.passkeys.remove(eve, passkey.id)).toBe('not_found')
    expect(await stores.passkeys.rename(ada, passkey.id, 'Blue')).toBe('renamed')
    expect((await stores.passkeys.find(passkey.id))?.passkey.name).toBe('Blue')
    expect(await stores.passkeys.remove(ada, passkey.id)).toBe('removed')
    expect(await stores.passkeys.remove(ada, passkey.id)).toBe('not_found')
    expect(await stores.passkeys.rename(ada, passkey.id, 'Red')).toBe('not_found')
    expect(await stores.passkeys.find(passkey.id)).toBeUndefined()
  })

  it.each([
    [0, 0, 'used'],
    [0, 1, 'used'],
    [4, 5, 'used'],
    [4, 4, 'refused'],
    [4, 3, 'refused'],
    [4, 0, 'refused'],
  ])('take a counter of %d that becomes %d: %s', async (before, counter, outcome) => {
    const [stores, ada] = [create(), await person()]
    const { id } = await added(stores, ada, passkeyOf({ counter: before }))
    const challenge = await challengeIn(stores, 'only_factor')
    const use = { challenge, now: NOW + 5, counter, backedUp: true }
    expect(await stores.passkeys.use(ada.userId, id, { ...use, now: NOW + 1000 })).toBe('refused')
    expect(await stores.passkeys.use(ada.userId, id, use)).toBe(outcome)
    const passkey = (await stores.passkeys.find(id))?.passkey
    const changed = { counter, backedUp: true, lastUsedAt: NOW + 5 }
    expect(passkey).toMatchObject(outcome === 'used' ? changed : { counter: before, lastUsedAt: NOW })
    expect((await stores.challenges.find(challenge)) === undefined).toBe(outcome === 'used')
  })

  it('use no challenge for a passkey that was removed', async () => {
    const [stores, ada] = [create(), await person()]
    const { id } = await added(stores, ada)
    await stores.passkeys.remove(ada, id)
    const challenge = await challengeIn(stores, 'only_factor')
    const use = { challenge, now: NOW, counter: 1, backedUp: true }
    expect(await stores.passkeys.use(ada.userId, id, use)).toBe('refused')
    expect(await stores.challenges.find(challenge)).toBeDefined()
    expect(await stores.passkeys.find(id)).toBeUndefined()
  })

  it('confirm the last enrollment that was begun, once and in time, and only where there is no other', async () => {
    const [stores, ada] = [create(), await person()]
    const { totpAuthenticators: totps } = stores
    const [first, last] = [1, 2].map((n) => ({ id: randomUUID(), cipher: `c${n}`, validUntil: NOW + 1000 }))
    if (!first || !last) throw new Error('two were made')
    await totps.begin(ada, first)
    await totps.begin(ada, last)
    expect(await totps.findPending(ada.userId)).toEqual(last)
    expect(await totps.confirm(ada, first, totpAt(1))).toBe('gone')
    expect(await totps.confirm(ada, last, { ...totpAt(1), createdAt: NOW + 1000 })).toBe('gone')
    expect(await totps.confirm(ada, last, totpAt(1))).toBe('confirmed')
    expect(await totps.findPending(ada.userId)).toBeUndefined()
    expect(await totps.confirm(ada, last, totpAt(1))).toBe('gone')
    await totps.begin(ada, first)
    expect(await totps.confirm(ada, first, totpAt(2))).toBe('exists')
    expect(await totps.find(ada.userId)).toEqual(totpAt(1))
  })

  it('take steps of TOTP that grow, of the secret that was read', async () => {
    const [stores, ada] = [create(), await person()]
    const { totpAuthenticators: totps } = stores
    await confirmed(stores, ada)
    const take = (step: number, cipher = 'cipher') =>
      totps.takeStep(ada.userId, totpAt(10, cipher), { step, now: NOW + step, from: 'known' })
    expect([await take(10), await take(11), await take(11), await take(9), await take(12, 'other')]).toEqual([
      'refused',
      'taken',
      'refused',
      'refused',
      'refused',
    ])
    expect(await totps.find(ada.userId)).toEqual({ ...totpAt(11), lastUsedAt: NOW + 11 })
    expect(await totps.remove(ada)).toBe('removed')
    expect(await totps.remove(ada)).toBe('not_found')
    expect(await take(13)).toBe('refused')
  })

  it('count tries of TOTP apart in known browsers and others, under a revision, until a code is right there', async () => {
    const [stores, ada] = [create(), await person()]
    const { totpAuthenticators: totps } = stores
    await confirmed(stores, ada)
    const count = (from: 'known' | 'pending', securityRev = 0, cipher = 'cipher') =>
      totps.countTry(ada.userId, totpAt(10, cipher), { securityRev, from, limit: 2 })
    const counts = async (...tries: Parameters<typeof count>[]) => {
      const all = []
      for (const tried of tries) all.push(await count(...tried))
      return all
    }
    const seen = totpAt(10)
    expect(await counts(['pending'], ['pending'], ['pending'])).toEqual(['counted', 'counted', 'full'])
    expect(await counts(['known', 0, 'other'], ['known'], ['known'])).toEqual(['full', 'counted', 'counted'])
    expect((await totps.find(ada.userId))?.failedAtRev).toBe(0)
    await totps.takeStep(ada.userId, seen, { step: 11, now: NOW, from: 'known' })
    expect(await counts(['known'], ['pending'])).toEqual(['counted', 'full'])
    expect(await counts(['pending', 1], ['known', 1], ['pending', 1])).toEqual(['counted', 'counted', 'counted'])
    expect(await counts(['pending', 1])).toEqual(['full'])
    await totps.forgive(ada.userId)
    expect((await totps.find(ada.userId))?.failedAtRev).toBeUndefined()
    expect(await counts(['pending', 1], ['pending', 1], ['pending', 1])).toEqual(['counted', 'counted', 'full'])
  })

  it('use each recovery code once, and none of those that were replaced', async () => {
    const [stores, ada, eve] = [create(), await person(), await person()]
    const { recoveryCodes: codes } = stores
    expect(await codes.use(ada.userId, 'one', NOW)).toBe(false)
    await codes.replace(ada, ['one', 'two'], { createdAt: NOW })
    expect(await codes.use(eve.userId, 'one', NOW)).toBe(false)
    expect(await codes.use(ada.userId, 'one', NOW + 1)).toBe(true)
    expect(await codes.use(ada.userId, 'one', NOW + 2)).toBe(false)
    const { recoveryCodes } = await stores.authenticators.list(ada.userId)
    expect(recoveryCodes).toEqual({ left: 1, createdAt: NOW, lastUsedAt: NOW + 1 })
    await codes.replace(ada, ['three'], { createdAt: NOW + 3 })
    expect(await codes.use(ada.userId, 'two', NOW + 4)).toBe(false)
    expect(await codes.use(ada.userId, 'three', NOW + 5)).toBe(true)
  })

  it('store one request to reset, and replace the one that was seen', async () => {
    const [stores, ada] = [create(), await person()]
    const { resets } = stores
    const [first, next] = [resetOf(), resetOf()]
    expect(await resets.request(ada.userId, first, undefined)).toBe(true)
    expect(await resets.request(ada.userId, next, undefined)).toBe(false)
    expect(await resets.request(ada.userId, next, next)).toBe(false)
    expect(await resets.request(ada.userId, next, first)).toBe(true)
    expect(await resets.find(ada.userId)).toEqual(next)
  })

  it('approve a request once, by an owner, with an entry in the audit log', async () => {
    const [stores, ada, owner, eve] = [create(), await person(), await person(), await person()]
    const [earlier, reset] = [resetOf({ effectiveAt: NOW + 20 }), resetOf({ effectiveAt: NOW + 20 })]
    await stores.resets.request(ada.userId, reset, undefined)
    const organizationId = await organizationOf(owner)
    const approve = (of: FactorReset, by = owner, approved = approvalBy(owner, organizationId)) =>
      stores.approvals.approve(by, ada.userId, of, approved)
    expect(await approve(earlier)).toBe(false)
    expect(await approve(reset, eve, approvalBy(eve, organizationId))).toBe(false)
    expect(await approve(reset, owner, approvalBy(owner, await organizationOf(eve)))).toBe(false)
    expect(await entriesOf(organizationId)).toEqual([])
    const { entry, steps, ...approved } = approvalBy(owner, organizationId)
    expect(await approve(reset, owner, { ...approved, steps, entry })).toBe(true)
    expect(await approve(reset)).toBe(false)
    expect(await stores.resets.find(ada.userId)).toEqual({ ...reset, ...approved })
    expect(await entriesOf(organizationId)).toEqual([entry.id])
  })

  it('cancel the request that is named once, approved or not, and then it is neither approved nor completed', async () => {
    const [stores, ada, owner, eve] = [create(), await person(), await person(), await person()]
    const organizationId = await organizationOf(owner)
    for (const isApproved of [false, true]) {
      const [reset, before] = [resetOf({ effectiveAt: isApproved ? NOW : undefined }), resetOf()]
      await stores.resets.request(ada.userId, reset, undefined)
      expect(await stores.resets.cancel(ada, before.id)).toBe(false)
      expect(await stores.resets.cancel(eve, reset.id)).toBe(false)
      expect(await stores.resets.find(ada.userId)).toEqual(reset)
      const all = await Promise.all([1, 2, 3].map(() => stores.resets.cancel(ada, reset.id).catch(() => false)))
      expect(all.filter(Boolean)).toHaveLength(1)
      expect(await stores.resets.find(ada.userId)).toBeUndefined()
      expect(await stores.approvals.approve(owner, ada.userId, reset, approvalBy(owner, organizationId))).toBe(false)
      const seen = await stores.authenticators.list(ada.userId)
      expect(await stores.resets.complete(accountOf(ada), reset, seen)).toBe(false)
    }
  })

  it('complete a reset of what was seen, together and once', async () => {
    const [stores, ada] = [create(), await person()]
    const { id } = await added(stores, ada)
    await confirmed(stores, ada)
    await stores.recoveryCodes.replace(ada, ['one'], { createdAt: NOW })
    const reset = resetOf({ effectiveAt: NOW })
    await stores.resets.request(ada.userId, reset, undefined)
    const before = await stores.authenticators.list(ada.userId)
    await stores.recoveryCodes.use(ada.userId, 'one', NOW + 1)
    expect(await stores.resets.complete(accountOf(ada), reset, before)).toBe(false)
    const seen = await stores.authenticators.list(ada.userId)
    expect(seen.passkeys).toHaveLength(1)
    expect(await stores.resets.complete(accountOf(ada), resetOf(), seen)).toBe(false)
    expect(await stores.resets.complete(accountOf(ada), reset, { ...seen, totp: undefined })).toBe(false)
    expect(await stores.resets.complete(accountOf(ada), reset, { ...seen, passkeys: [] })).toBe(false)
    expect(await stores.resets.complete(accountOf(ada), reset, seen)).toBe(true)
    expect(await stores.resets.complete(accountOf(ada), reset, seen)).toBe(false)
    expect(await stores.passkeys.find(id)).toBeUndefined()
    expect(await stores.resets.find(ada.userId)).toBeUndefined()
    expect((await stores.authenticators.list(ada.userId)).totp).toBeUndefined()
  })

  it('keep a request when an authenticator is removed: a thief’s sign-in could do that', async () => {
    const [stores, ada] = [create(), await person()]
    const { id } = await added(stores, ada)
    await confirmed(stores, ada)
    const reset = resetOf()
    await stores.resets.request(ada.userId, reset, undefined)
    await stores.totpAuthenticators.remove(ada)
    await stores.passkeys.remove(ada, id)
    expect(await stores.resets.find(ada.userId)).toEqual(reset)
  })

  it('confirm a request once, by its link', async () => {
    const [stores, ada] = [create(), await person()]
    const [earlier, reset] = [resetOf(), resetOf()]
    await stores.resets.request(ada.userId, reset, undefined)
    const steps = [9, 5].map((after) => ({
      step: after === 9 ? ('effect' as const) : ('half_time' as const),
      at: NOW + after,
    }))
    const schedule = { effectiveAt: NOW + 9, steps }
    expect(await stores.resets.confirm(await linkOf(ada), earlier, schedule)).toBe('link_invalid')
    const use = await linkOf(ada)
    expect(await stores.resets.confirm(use, reset, schedule)).toBe('done')
    expect(await stores.resets.confirm(use, reset, schedule)).toBe('link_invalid')
    expect(await stores.resets.confirm(await linkOf(ada), reset, schedule)).toBe('link_invalid')
    expect(await stores.resets.find(ada.userId)).toEqual({ ...reset, effectiveAt: NOW + 9 })
    const due = async (now: number) => (await stores.steps.list(now)).filter(({ userId }) => userId === ada.userId)
    expect(await due(NOW + 4)).toEqual([])
    const planned = steps.map((step) => ({ ...step, userId: ada.userId, effectiveAt: NOW + 9 })).toReversed()
    expect(await due(NOW + 9)).toEqual(planned)
    for (const step of planned) await stores.steps.dismiss(step)
    expect(await due(NOW + 9)).toEqual([])
  })

  it('schedule an operator’s removal in place of the request that was seen, which completes under another password', async () => {
    const [stores, ada] = [create(), await person()]
    await confirmed(stores, ada)
    const [asked, entry] = [resetOf(), operatedEntry(ada.userId)]
    const reset = resetOf({ effectiveAt: NOW + 9, operated: { trustedUntil: NOW - 1 }, credentialsRev: 7 })
    await stores.resets.request(ada.userId, asked, undefined)
    const planned = { effectiveAt: NOW + 9, steps: [{ step: 'effect' as const, at: NOW + 9 }], entries: [entry] }
    const schedule = (replaces: FactorReset | undefined) =>
      stores.operatedFactors.schedule(ada.userId, reset, { ...planned, replaces })
    expect(await schedule(undefined)).toBe('conflict')
    expect(await schedule(reset)).toBe('conflict')
    expect(await entriesOf(entry.organizationId)).toEqual([])
    expect(await schedule(asked)).toBe('changed')
    expect(await stores.resets.find(ada.userId)).toEqual(reset)
    expect(await entriesOf(entry.organizationId)).toEqual([entry.id])
    const due = (await stores.steps.list(NOW + 9)).filter(({ userId }) => userId === ada.userId)
    expect(due).toEqual([{ step: 'effect', at: NOW + 9, userId: ada.userId, effectiveAt: NOW + 9 }])
    for (const step of due) await stores.steps.dismiss(step)
    const seen = await stores.authenticators.list(ada.userId)
    expect(await stores.resets.complete(accountOf(ada), reset, seen)).toBe(true)
  })

  it('remove what an operator saw, with the request, together and once, and keep the mail to be sent', async () => {
    const [stores, ada] = [create(), await person()]
    const entry = operatedEntry(ada.userId)
    await added(stores, ada)
    await confirmed(stores, ada)
    await stores.recoveryCodes.replace(ada, ['one'], { createdAt: NOW })
    await stores.resets.request(ada.userId, resetOf(), undefined)
    const before = await stores.authenticators.list(ada.userId)
    await stores.recoveryCodes.use(ada.userId, 'one', NOW + 1)
    const seen = await stores.authenticators.list(ada.userId)
    const remove = (of: typeof seen, account = accountOf(ada)) =>
      stores.operatedFactors.remove(account, of, { at: NOW + 5, language: 'de', entries: [entry] })
    expect(await remove(before)).toBe('conflict')
    expect(await remove(seen, { ...accountOf(ada), securityRev: 4 })).toBe('conflict')
    expect(await entriesOf(entry.organizationId)).toEqual([])
    const account = accountOf(ada)
    expect(await remove(seen, account)).toBe('changed')
    expect(await remove(seen, account)).toBe('conflict')
    const none = { passkeys: [], totp: undefined, recoveryCodes: undefined }
    expect(await stores.authenticators.list(ada.userId)).toEqual(none)
    expect(await stores.resets.find(ada.userId)).toBeUndefined()
    expect(await entriesOf(entry.organizationId)).toEqual([entry.id])
    const due = (await stores.steps.list(NOW + 5)).filter(({ userId }) => userId === ada.userId)
    expect(due).toEqual([{ step: 'removed', at: NOW + 5, userId: ada.userId, effectiveAt: NOW + 5, language: 'de' }])
    for (const step of due) await stores.steps.dismiss(step)
  })

  it('remove the authenticator app alone that an operator saw, and keep grants, passkeys, codes and the mail to be sent', async () => {
    const [stores, ada, bob] = [create(), await person(), await person()]
    const entry = operatedEntry(ada.userId)
    await added(stores, ada)
    await confirmed(stores, ada)
    await confirmed(stores, bob)
    await stores.recoveryCodes.replace(ada, ['one'], { createdAt: NOW })
    expect(await stores.operatedFactors.listTotpUsers()).toEqual(expect.arrayContaining([ada.userId, bob.userId]))
    const seen = await stores.authenticators.list(ada.userId)
    const remove = (account = accountOf(ada)) =>
      stores.operatedFactors.removeTotp(account, seen, { at: NOW + 5, language: 'de', entries: [entry] })
    expect(await remove({ ...accountOf(ada), securityRev: 4 })).toBe('conflict')
    expect(await entriesOf(entry.organizationId)).toEqual([])
    expect(await remove()).toBe('changed')
    expect(await remove()).toBe('conflict')
    expect(await stores.authenticators.list(ada.userId)).toEqual({ ...seen, totp: undefined })
    expect(await stores.operatedFactors.listTotpUsers()).not.toContain(ada.userId)
    expect(await entriesOf(entry.organizationId)).toEqual([entry.id])
    const due = (await stores.steps.list(NOW + 5)).filter(({ userId }) => userId === ada.userId)
    expect(due).toMatchObject([{ step: 'totp_removed', at: NOW + 5, language: 'de' }])
    for (const step of due) await stores.steps.dismiss(step)
    // The grant is still live.
    await stores.recoveryCodes.replace(ada, ['two'], { createdAt: NOW })
  })

  it('write nothing for a grant that has ended', async () => {
    const [stores, ada, other] = [create(), await person(), await person()]
    const { id } = await added(stores, ada)
    await confirmed(stores, ada)
    const pending = { id: randomUUID(), cipher: 'cipher', validUntil: NOW + 1000 }
    await stores.totpAuthenticators.begin(ada, pending)
    const reset = resetOf()
    await stores.resets.request(other.userId, reset, undefined)
    const before = await stores.authenticators.list(ada.userId)
    const challenge = await challengeIn(stores)
    await endGrants(ada)
    const approved = approvalBy(ada, await organizationOf(ada))
    const writes = [
      () => stores.passkeys.add(ada, passkeyOf(), { challenge, now: NOW, limit: 3 }),
      () => stores.passkeys.rename(ada, id, 'New'),
      () => stores.passkeys.remove(ada, id),
      () => stores.totpAuthenticators.begin(ada, { ...pending, id: randomUUID() }),
      () => stores.totpAuthenticators.confirm(ada, pending, totpAt(1)),
      () => stores.totpAuthenticators.remove(ada),
      () => stores.recoveryCodes.replace(ada, ['one'], { createdAt: NOW }),
      () => stores.approvals.approve(ada, other.userId, reset, approved),
      () => stores.resets.cancel(ada, reset.id),
    ]
    for (const write of writes) await expect(write()).rejects.toMatchObject(ended)
    expect(await stores.resets.request(ada.userId, resetOf({ credentialsRev: 1 }), undefined)).toBe(false)
    expect(await stores.authenticators.list(ada.userId)).toEqual(before)
    expect(await stores.totpAuthenticators.findPending(ada.userId)).toEqual(pending)
    expect(await stores.challenges.find(challenge)).toBeDefined()
    expect(await stores.resets.find(other.userId)).toEqual(reset)
  })
})
