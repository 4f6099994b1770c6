import { beforeEach, describe, expect, it } from '@jest/globals'
import { createOrganizationRecords } from '../../../lib/adapters/dynamodb/organizationStore.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { entryBy } from '../members/entryBy.ts'
import { type Person, peopleOf } from '../members/people.ts'
import { verifiedDomain } from './verifiedDomain.ts'

const bed = useBillingStack()
const { team, person, setRole, stored } = peopleOf(bed)

let one: Awaited<ReturnType<typeof team>>
let other: Person

const save = (who: Person, enforced: boolean) => {
  const issuer = `${bed.stack.client.info.base_url}/_local/provider`
  const settings = { type: 'oidc', issuer, client_id: 'us', client_secret: 'sesame', enforced }
  return who.call('PUT', `${one.path}/sso`, settings)
}
const refused = { status: 409, body: { code: 'break_glass_owner' } }

/** Each way in which the break-glass owner would no longer be an owner. */
const ways = [
  ['leaves', 204, () => one.owner.call('POST', `${one.path}/leave`)],
  ['is removed', 204, () => other.call('DELETE', `${one.path}/members/${one.owner.id}`)],
  ['is demoted', 200, () => other.call('PATCH', `${one.path}/members/${one.owner.id}`, { role: 'member' })],
  [
    'demotes themselves',
    200,
    () => one.owner.call('PATCH', `${one.path}/members/${one.owner.id}`, { role: 'billing_admin' }),
  ],
  ['hands over to an owner', 200, () => one.owner.call('POST', `${one.path}/transfer`, { user_id: other.id })],
  ['hands over to a member', 200, () => one.owner.call('POST', `${one.path}/transfer`, { user_id: one.member.id })],
  ['deletes the account', 202, () => one.owner.call('DELETE', '/api/users/me')],
] as const

beforeEach(async () => {
  one = await team()
  other = await person()
  await setRole(one.id, other, 'owner')
  await verifiedDomain(bed.stack, one)
})

describe('The break-glass owner, while the single sign-on is enforced', () => {
  // [threat 93.16]
  it.each(ways)('stays an owner: %s', async (_, done, act) => {
    expect((await save(one.owner, true)).status).toBe(200)
    const before = await stored(one.id)
    expect(await act()).toMatchObject(refused)
    expect(await stored(one.id)).toEqual(before)
    expect((await save(one.owner, false)).status).toBe(200)
    expect((await act()).status).toBe(done)
  })

  it('is another owner as soon as that owner saves it', async () => {
    await save(one.owner, true)
    expect(await save(other, true)).toMatchObject({ status: 200, body: { break_glass_user_id: other.id } })
    expect(await other.call('POST', `${one.path}/leave`)).toMatchObject(refused)
    expect((await one.owner.call('POST', `${one.path}/leave`)).status).toBe(204)
  })

  it('may stop being that after the single sign-on is deleted', async () => {
    await save(one.owner, true)
    expect((await other.call('DELETE', `${one.path}/sso`)).status).toBe(204)
    expect((await one.owner.call('POST', `${one.path}/leave`)).status).toBe(204)
  })

  it('is no longer asked to stay once they are a member who saved nothing', async () => {
    await save(one.owner, true)
    const member = await person()
    await setRole(one.id, member, 'member')
    expect((await member.call('POST', `${one.path}/leave`)).status).toBe(204)
    expect((await other.call('POST', `${one.path}/leave`)).status).toBe(204)
  })

  // [threat 93.16]
  it.each([
    ['a demotion', 'billing_admin', undefined],
    ['a removal', null, undefined],
    ['a transfer', 'billing_admin', 'member'],
  ] as const)('stays an owner if it is enforced after %s was decided', async (_, to, promoted) => {
    await save(one.owner, true)
    const { audit_log: auditLog, ...tables } = bed.stack.client.info.tables
    const records = createOrganizationRecords(bed.stack.documents, { ...tables, auditLog })
    const changes = [
      { userId: one.owner.id, from: 'owner', to } as const,
      ...(promoted ? [{ userId: one.member.id, from: promoted, to: 'owner' } as const] : []),
    ]
    const done = { action: 'member.left', detail: { role: 'owner' } } as const
    const entry = { ...entryBy(other.id, one.id, Date.now(), done), target: one.owner.id }
    const by = { userId: other.id, securityRev: 0 }
    expect(await records.changeRoles(one.id, { by, changes, entry })).toBe('conflict')
  })
})
