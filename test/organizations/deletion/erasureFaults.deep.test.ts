import { randomUUID } from 'node:crypto'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { createChallenges } from '../../../lib/adapters/dynamodb/challengeStore.ts'
import { createConsents } from '../../../lib/adapters/dynamodb/consentStore.ts'
import { createInvitations } from '../../../lib/adapters/dynamodb/invitationStore.ts'
import { createOrganizationSeed } from '../../../lib/adapters/dynamodb/organizationSeed.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { createPasskeys } from '../../../lib/adapters/dynamodb/passkeyStore.ts'
import { createSessions } from '../../../lib/adapters/dynamodb/sessionStore.ts'
import { createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { GRACE } from '../../../lib/core/deletion.ts'
import { organizationIdSchema, type UserId } from '../../../lib/core/ids.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { invitationIdOf } from '../../../lib/organizations/invitations/invitationDigests.ts'
import { deleteAccount } from '../../../lib/users/deletion/deleteAccount.ts'
import { eraseAccounts } from '../../../lib/users/deletion/eraseAccounts.ts'
import { restoreAccount } from '../../../lib/users/deletion/restoreAccount.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { newUser } from '../../support/newUser.ts'
import { accountDeletionDeps } from './accountDeletionDeps.ts'
import { type FaultAt, faultyDeps } from './faultyDeps.ts'

const START = Date.UTC(2026, 0, 15)

const { client, names } = await openDocuments()

/** Gives a person a passkey, whose credential leads to them, and a session in a browser. */
async function enroll({ id, caller }: { id: UserId; caller: { userId: UserId; securityRev: number } }) {
  const challenge = randomUUID()
  // Later than the erasure: an item that expires by itself says nothing about it.
  const validUntil = START + 2 * GRACE
  await createChallenges(client, names.accounts).issue(challenge, { purpose: 'registration', userId: id, validUntil })
  const passkey = {
    ...{ id: randomUUID(), name: 'Phone', publicKey: 'key', counter: 0, backupEligible: true, backedUp: true },
    ...{ transports: [], createdAt: START, lastUsedAt: START },
  }
  const use = { challenge, now: START, limit: 10 }
  expect(await createPasskeys(client, names.accounts).add(caller, passkey, use)).toBe('added')
  const session = {
    ...{ id: randomUUID(), userId: id, securityRev: 0, authentication: { at: START, methods: [] } },
    ...{ validUntil, browser: undefined, signedInFor: undefined },
  }
  await createSessions(client, names.accounts).start(digestSecret(randomUUID()), session, false)
}

/** A person with a consent, a passkey, a session in a browser, an organization of their own, a place in that of another, and an invitation to a third. */
async function world() {
  let now = START
  const { deps, mails } = accountDeletionDeps(client, names, () => now)
  const users = createUsers(client, names.accounts)
  const seed = createOrganizationSeed(client, names.billing)
  const records = createOrganizationRecords(client, names)
  const register = async () => {
    const user = newUser(START)
    await users.create(user)
    return { ...user, caller: { userId: user.id, securityRev: 0 } }
  }
  const newOrganization = async (owner: Awaited<ReturnType<typeof register>>) => {
    const id = organizationIdSchema.parse(randomUUID())
    const entry = {
      ...{ organizationId: id, id: randomUUID(), at: START, actor: { type: 'user' as const, id: owner.id } },
      ...{ action: 'organization.created' as const, target: id, detail: { name: 'Acme' } },
    }
    await records.create({ id, name: 'Acme', createdAt: '2026-01-15T00:00:00Z' }, owner.caller, entry)
    return id
  }
  const [who, other] = [await register(), await register()]
  await createConsents(client, names.accounts).give(who.id, 'app', { scope: 'openid', givenAt: START })
  await enroll(who)
  const own = await newOrganization(who)
  const shared = await newOrganization(other)
  await seed.setMembership(shared, who.id, 'owner')
  const third = await newOrganization(other)
  const invitation = {
    ...{ organizationId: third, id: invitationIdOf(who.email), email: who.email, role: 'member' as const },
    ...{ tokenDigest: randomUUID(), invitedBy: other.id, validUntil: START + GRACE },
  }
  await createInvitations(client, names).put(invitation, other.caller, {
    ...{ organizationId: third, id: randomUUID(), at: START, actor: { type: 'user', id: other.id } },
    ...{ action: 'member.invited', target: invitation.id, detail: { role: 'member' } },
  })
  return {
    ...{ deps, mails, who, own, shared },
    advance: (to: number) => {
      now = to
    },
    /** The account as it is stored. */
    account: () => deps.accounts.find(who.id),
    /** What is at rest of this person, of the organization of their own and of the shared one, in short. */
    async traces() {
      const scans = Object.values(names).map((TableName) => client.send(new ScanCommand({ TableName })))
      const items = (await Promise.all(scans)).flatMap(({ Items = [] }) => Items)
      return items
        .filter((item) =>
          [who.id, who.email, who.username, own, shared].some((trace) => JSON.stringify(item).includes(trace)),
        )
        .filter(({ expiresAt }) => typeof expiresAt !== 'number' || expiresAt * 1000 > now)
        .map(({ pk, sk, action, type, data, owners, role, isActive, deletion }) =>
          JSON.stringify(
            type
              ? { type, data: inOrder(data) }
              : action
                ? { action }
                : { pk, sk, owners, role, isActive, deleting: deletion !== undefined },
          ),
        )
        .map((text) =>
          [who.id, who.username, own, shared, invitation.id, invitation.tokenDigest, other.id, third].reduce(
            (masked, id, at) => masked.replaceAll(id, `<${at}>`),
            text.replaceAll(/(CREDENTIAL|SESSION|PASSKEY|CHALLENGE)#[\w-]+/g, '$1#<digest>'),
          ),
        )
        .sort()
    },
  }
}

type World = Awaited<ReturnType<typeof world>>

const ports = ['deletions', 'accounts', 'links', 'mailer'] as const

/** Every place where `act` can fail, until a run has fewer calls than that. */
async function* faults(
  act: (world: World, fault: FaultAt | undefined) => Promise<{ world: World; wasReached: boolean }>,
) {
  for (const when of ['before', 'after'] as const) {
    for (let call = 0; ; call += 1) {
      const outcome = await act(await world(), { call, when })
      if (!outcome.wasReached) break
      yield { ...outcome, name: `${when} call ${call}` }
    }
  }
}

const scheduled = async () => {
  const all = await world()
  await deleteAccount(all.deps, all.who.caller, 'en')
  return all
}

describe('A failure at any call of asking for a deletion', () => {
  it('leaves everything as it was, or everything planned; asked again it is planned', async () => {
    const [untouched, planned] = [await (await world()).traces(), await (await scheduled()).traces()]
    let count = 0
    for await (const { world: all, name } of faults(async (all, fault) => {
      const { deps, wasReached } = faultyDeps(all.deps, fault, ports)
      await deleteAccount(deps, all.who.caller, 'en').catch(() => {})
      return { world: all, wasReached: wasReached() }
    })) {
      count += 1
      const found = await all.traces()
      const isPlanned = (await all.account())?.deletion !== undefined
      expect([name, withoutLinks(found)]).toEqual([name, withoutLinks(isPlanned ? planned : untouched)])
      if (!isPlanned) await deleteAccount(all.deps, all.who.caller, 'en')
      expect([name, withoutLinks(await all.traces())]).toEqual([name, withoutLinks(planned)])
    }
    expect(count).toBeGreaterThanOrEqual(8)
  })
})

describe('A failure at any call of taking a deletion back', () => {
  it('leaves the deletion planned, or takes all of it back', async () => {
    const planned = withoutLinks(await (await scheduled()).traces())
    let count = 0
    for (const when of ['before', 'after'] as const) {
      for (let call = 0; ; call += 1) {
        const all = await scheduled()
        const token = /token=([\w-]+)/.exec(all.mails.at(-1)?.text ?? '')?.[1] ?? ''
        const { deps, wasReached } = faultyDeps(all.deps, { call, when }, ports)
        await restoreAccount(deps, token).catch(() => {})
        if (!wasReached()) break
        count += 1
        const isBack = (await all.account())?.user.isActive
        if (!isBack) {
          expect(withoutLinks(await all.traces())).toEqual(planned)
          await restoreAccount(all.deps, token)
        }
        expect((await all.account())?.deletion).toBeUndefined()
        all.advance(START + GRACE)
        expect(await eraseAccounts(all.deps, Number.POSITIVE_INFINITY)).toMatchObject({ failed: 0 })
        expect((await all.account())?.user.isActive).toBe(true)
      }
    }
    expect(count).toBeGreaterThanOrEqual(6)
  })
})

describe('A failure at any call of the erasure', () => {
  const erase = async (all: World, fault?: FaultAt) => {
    await deleteAccount(all.deps, all.who.caller, 'en')
    all.advance(START + GRACE)
    const { deps, wasReached } = faultyDeps(all.deps, fault, ports)
    await eraseAccounts(deps, Number.POSITIVE_INFINITY).catch(() => {})
    return { world: all, wasReached: wasReached() }
  }

  // [catch eraseDue.eraseDue]
  it('is mended by the next run, which ends at the same', async () => {
    const erased = await (await erase(await world())).world.traces()
    expect(erased.filter((text) => !text.includes('action'))).toEqual([
      // The organization that is deleted with the account has its own erasure.
      '{"pk":"DELETION","sk":"2026-02-14T00:00:00.000Z#erase#<2>"}'.replace('}', ',"deleting":false}'),
      ...erased.filter((text) => !text.includes('action') && !text.includes('DELETION')),
    ])
    const told = erased.filter((text) => /"type":"(member|user)\.(removed|deleted)/.test(text))
    expect(told).toEqual([
      '{"type":"member.removed","data":[["role","billing_admin"],["user_id","<0>"]]}',
      // Of the shared organization, and of the organization that is deleted with the account.
      ...['{"type":"user.deleted","data":[["id","<0>"]]}', '{"type":"user.deleted","data":[["id","<0>"]]}'],
    ])
    let count = 0
    const unmailed: string[] = []
    for await (const { world: all, name } of faults(erase)) {
      count += 1
      await eraseAccounts(all.deps, Number.POSITIVE_INFINITY)
      expect([name, await all.traces()]).toEqual([name, erased])
      if (all.mails.at(-1)?.subject !== 'Your account was deleted') unmailed.push(name)
    }
    // Only a mail that was not taken is not sent again: no mailbox keeps an account from being erased.
    expect(unmailed).toHaveLength(1)
    expect(count).toBeGreaterThanOrEqual(16)
  })

  it('leaves no passkey, session or consent, and nothing that leads to one', async () => {
    const kinds = ['CREDENTIAL#', 'SESSION#', 'AUTHENTICATOR#PASSKEY', 'CONSENT#']
    const foundOf = (traces: string[]) => kinds.filter((kind) => traces.some((text) => text.includes(`"${kind}`)))
    const all = await world()
    expect(foundOf(await all.traces())).toEqual(kinds)
    await erase(all)
    expect(foundOf(await all.traces())).toEqual([])
  })

  // [catch writeItem.updateItem]
  it('begins only at its time, and not where the account was switched on since', async () => {
    const all = await scheduled()
    const deletion = (await all.account())?.deletion
    if (!deletion) throw new Error('no deletion')
    expect(await all.deps.deletions.begin(all.who.id, deletion, deletion.eraseAfter - 1)).toBe('not_due')
    expect(await all.deps.deletions.begin(all.who.id, { ...deletion, eraseAfter: 1 }, deletion.eraseAfter)).toBe(
      'not_due',
    )
    expect(await all.deps.deletions.begin(all.who.id, deletion, deletion.eraseAfter)).toBe('begun')
    expect(await all.deps.deletions.begin(all.who.id, deletion, deletion.eraseAfter)).toBe('begun')
    // By a clock that is behind it is still in time: what has begun decides.
    const token = /token=([\w-]+)/.exec(all.mails.at(-1)?.text ?? '')?.[1] ?? ''
    await expect(restoreAccount(all.deps, token)).rejects.toMatchObject({ code: 'link_invalid' })
  })
})

/** The store does not keep the order of members. */
function inOrder(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  return Object.entries(data)
    .map(([name, value]) => [name, inOrder(value)])
    .toSorted()
}

/** Links that lead nowhere, of attempts that failed, expire by themselves. */
function withoutLinks(traces: readonly string[]): string[] {
  return traces.filter((text) => !text.includes('LINK#'))
}
