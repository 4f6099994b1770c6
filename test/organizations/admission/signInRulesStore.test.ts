import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { userKey } from '../../../lib/adapters/dynamodb/keys.ts'
import { createOrganizationSeed } from '../../../lib/adapters/dynamodb/organizationSeed.ts'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { createSignInRulesRecords } from '../../../lib/adapters/dynamodb/signInRulesStore.ts'
import { type OrganizationId, organizationIdSchema, type UserId } from '../../../lib/core/ids.ts'
import type { SignInRules } from '../../../lib/organizations/ports.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { setAttributes } from '../../support/setAttributes.ts'
import { storeUser } from '../domains/companies.ts'
import { entryBy } from '../members/entryBy.ts'

const now = Date.UTC(2026, 10, 21)
const { client, names } = await openDocuments()
const organizations = createOrganizationRecords(client, names)
const records = createSignInRulesRecords(client, names)
const seed = createOrganizationSeed(client, 'billing')

let id: OrganizationId
let owner: UserId

const as = (userId: UserId) => ({ userId, securityRev: 0 })
const entry = () =>
  entryBy(owner, id, now, {
    action: 'organization.sign_in_rules_changed',
    detail: { second_factor_required_from: null, max_session_days: 1, idle_hours: null, allowed_clients: null },
  })
const replace = (from: SignInRules, to: SignInRules, by = owner) =>
  records.replace(id, { by: as(by), from, to, entry: entry() })
const rules = async () => (await organizations.read(id, as(owner))).organization?.signInRules

const setSecondFactor = (userId: UserId, hasSecondFactor: boolean) =>
  setAttributes(client, 'accounts', userKey(userId), { hasSecondFactor })

beforeEach(async () => {
  id = organizationIdSchema.parse(randomUUID())
  owner = await storeUser(client)
  await organizations.create({ id, name: 'Acme', createdAt: '2026-11-21T00:00:00Z' }, as(owner), entry())
})

describe('Sign-in rules in the store', () => {
  it('are replaced only as they were read', async () => {
    const all = { maxSessionDays: 3, idleHours: 4, allowedClients: ['partner'] }
    expect(await replace({}, all)).toBe('written')
    expect(await rules()).toEqual(all)
    expect(await replace({}, { idleHours: 1 })).toBe('conflict')
    expect(await replace({ ...all, idleHours: 5 }, {})).toBe('conflict')
    expect(await rules()).toEqual(all)
    expect(await replace(all, {})).toBe('written')
    expect(await replace({}, { idleHours: 1 })).toBe('written')
    expect(await rules()).toEqual({ idleHours: 1 })
  })

  // [threat 93.2]
  it('require a second factor only while their owner has one, even if it was there when they were read', async () => {
    const required = { secondFactorFrom: now }
    expect(await replace({}, required)).toBe('conflict')
    await setSecondFactor(owner, true)
    expect(await organizations.read(id, as(owner))).toMatchObject({ callerHasSecondFactor: true })
    await setSecondFactor(owner, false)
    expect(await replace({}, required)).toBe('conflict')
    expect(await rules()).toBeUndefined()
    await setSecondFactor(owner, true)
    expect(await replace({}, required)).toBe('written')
    await setSecondFactor(owner, false)
    expect(await replace(required, {})).toBe('written')
  })

  it('are not replaced by who is no owner any more, or was signed out', async () => {
    const other = await storeUser(client)
    await seed.setMembership(id, other, 'billing_admin')
    expect(await replace({}, { idleHours: 1 }, other)).toBe('conflict')
    const signedOut = { by: { userId: owner, securityRev: 1 }, from: {}, to: { idleHours: 1 }, entry: entry() }
    expect(await records.replace(id, signedOut)).toBe('conflict')
    expect(await rules()).toBeUndefined()
  })
})
