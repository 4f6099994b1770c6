import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { type Person, peopleOf } from '../members/people.ts'
import { DAY, deletionBed, secondsUntil } from './deletionBed.ts'

const bed = useBillingStack()
const { person, organizationOf, setRole, stored, expectOwners, mailsTo, tokenMailedTo } = peopleOf(bed)
const { run, atRest, submitLink } = deletionBed(bed)

const remove = (who: Person) => who.call('DELETE', '/api/users/me')
const isStored = async (text: string) => (await atRest()).some((item) => JSON.stringify(item).includes(text))

/** Past the end of the grace, with the run of that day. */
async function endGrace() {
  await bed.stack.emulator.advance(30 * DAY + 5)
  return run()
}

describe('DELETE /api/users/me', () => {
  it('answers 202 with the day of the erasure, ends every grant at once, and mails the way back', async () => {
    const who = await person()
    const answer = await remove(who)
    expect(answer.status).toBe(202)
    expect(Math.abs(secondsUntil(answer.body, await bed.stack.emulator.now()) - 30 * DAY)).toBeLessThan(60)
    expect(await who.call('GET', '/api/users/me')).toMatchObject({ status: 401 })
    expect(await remove(who)).toMatchObject({ status: 401 })
    const [mail] = await mailsTo(who.email)
    expect(mail?.subject).toBe('Your account will be deleted')
  })

  it('answers 412 and deletes nothing if If-Match names the profile of another user, or an earlier profile', async () => {
    const [who, other] = [await person(), await person()]
    const etagOf = async (someone: Person) => {
      const { headers } = await someone.call('GET', '/api/users/me')
      return String(headers.etag)
    }
    for (const ifMatch of [await etagOf(other), '"earlier"']) {
      const refused = await who.call('DELETE', '/api/users/me', undefined, { 'if-match': ifMatch })
      expect(refused).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    }
    const accepted = await who.call('DELETE', '/api/users/me', undefined, { 'if-match': await etagOf(who) })
    expect(accepted.status).toBe(202)
  })

  it('answers 409 and changes nothing for the only owner of an organization with other members', async () => {
    const [owner, member] = [await person(), await person()]
    await setRole(await organizationOf(owner), member, 'member')
    const answer = await remove(owner)
    expect(answer).toMatchObject({ status: 409, body: { code: 'sole_owner' } })
    expect((await owner.call('GET', '/api/users/me')).status).toBe(200)
    expect(await mailsTo(owner.email)).toEqual([])
  })

  it('makes an owner among others a billing admin, so that an owner is left at all times', async () => {
    const [owner, other] = [await person(), await person()]
    const id = await organizationOf(owner)
    await setRole(id, other, 'owner')
    expect((await remove(owner)).status).toBe(202)
    await expectOwners(id, 1)
    expect((await stored(id)).roles).toEqual({ [owner.id]: 'billing_admin', [other.id]: 'owner' })
    expect(await other.call('POST', `/api/organizations/${id}/leave`)).toMatchObject({ status: 409 })
    expect((await bed.stack.auditEntries(id)).at(-1)).toMatchObject({
      action: 'member.role_changed',
      actor: { type: 'user', id: owner.id },
      target: owner.id,
      detail: { from: 'owner', to: 'billing_admin' },
    })
  })

  it('makes no one an owner whose account is being deleted, so that the last other owner cannot go', async () => {
    const [owner, member] = [await person(), await person()]
    const id = await organizationOf(owner)
    await setRole(id, member, 'member')
    expect((await remove(member)).status).toBe(202)
    const path = `/api/organizations/${id}`
    const refused = { status: 409, body: { code: 'member_deleting' } }
    expect(await owner.call('POST', `${path}/transfer`, { user_id: member.id })).toMatchObject(refused)
    expect(await owner.call('PATCH', `${path}/members/${member.id}`, { role: 'owner' })).toMatchObject(refused)
    expect((await owner.call('PATCH', `${path}/members/${member.id}`, { role: 'billing_admin' })).status).toBe(200)
    expect(await owner.call('POST', `${path}/leave`)).toMatchObject({ status: 409, body: { code: 'last_owner' } })
    expect((await stored(id)).roles).toEqual({ [owner.id]: 'owner', [member.id]: 'billing_admin' })
    await expectOwners(id, 1)
  })

  it('hands an organization over that is being deleted as well, which another owner may restore', async () => {
    const [owner, other] = [await person(), await person()]
    const id = await organizationOf(owner)
    await setRole(id, other, 'owner')
    expect((await owner.call('DELETE', `/api/organizations/${id}`)).status).toBe(202)
    expect((await remove(owner)).status).toBe(202)
    expect((await other.call('POST', `/api/organizations/${id}/restore`)).status).toBe(200)
    expect((await stored(id)).roles).toEqual({ [owner.id]: 'billing_admin', [other.id]: 'owner' })
    expect(await other.call('POST', `/api/organizations/${id}/leave`)).toMatchObject({ status: 409 })
  })

  it('sends the way back instead of any other mail to the address, which no other account gets', async () => {
    const who = await person()
    await remove(who)
    const post = (path: string, body: unknown) =>
      fetch(bed.stack.client.info.base_url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const registration = {
      email: who.email,
      username: `n-${who.username}`.slice(0, 30),
      password: 'staple-battery-4c1d',
    }
    expect((await post('/api/auth/register', registration)).status).toBe(202)
    expect((await mailsTo(who.email))[0]?.subject).toBe('Your account is being deleted')
    expect((await post('/api/auth/password/forgot', { email: who.email })).status).toBe(202)
    const [mail] = await mailsTo(who.email)
    expect(mail?.text).toContain('purpose=restore_account')
    expect((await submitLink('restore_account', await tokenMailedTo(who.email))).status).toBe(200)
    await who.signIn()
    expect((await who.call('GET', '/api/users/me')).status).toBe(200)
  })
})

describe('The link that takes a deletion back', () => {
  it('works once until the erasure; the account and its organizations stay, and the grants stay ended', async () => {
    const who = await person()
    const id = await organizationOf(who)
    await remove(who)
    const token = await tokenMailedTo(who.email)
    await bed.stack.emulator.advance(29 * DAY)
    expect((await submitLink('restore_account', token)).text).toMatch(/Your account stays.*Choose a new password/s)
    expect(await who.call('GET', '/api/users/me')).toMatchObject({ status: 401 })
    await who.signIn()
    expect(await who.call('GET', `/api/organizations/${id}`)).toMatchObject({ status: 200, body: { role: 'owner' } })
    expect((await submitLink('restore_account', token)).status).toBe(400)
    await endGrace()
    await who.signIn()
    expect((await who.call('GET', `/api/organizations/${id}`)).status).toBe(200)
    expect((await bed.stack.auditEntries(id)).map(({ action }) => action)).toEqual([
      'organization.created',
      'organization.deletion_scheduled',
      'organization.restored',
    ])
  })

  it('does nothing from the moment of the erasure on, before its run as well', async () => {
    const who = await person()
    await remove(who)
    const token = await tokenMailedTo(who.email)
    await bed.stack.emulator.advance(30 * DAY + 5)
    expect((await submitLink('restore_account', token)).status).toBe(400)
    await run()
    await bed.stack.emulator.advance(2 * DAY)
    expect(await isStored(who.id)).toBe(false)
  })
})

describe('The erasure', () => {
  it('reminds three days before, once', async () => {
    const who = await person()
    await remove(who)
    await bed.stack.emulator.advance(27 * DAY - 60)
    await run()
    expect(await mailsTo(who.email)).toHaveLength(1)
    await bed.stack.emulator.advance(70)
    await run()
    await run()
    const mails = await mailsTo(who.email)
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your account will be deleted soon',
      'Your account will be deleted',
    ])
    expect((await submitLink('restore_account', await tokenMailedTo(who.email))).status).toBe(200)
  })

  it('erases name, address, memberships, invitations and what is kept under the user; entries and events keep an id', async () => {
    const [who, owner] = [await person(), await person()]
    const id = await organizationOf(owner)
    await setRole(id, who, 'member')
    const elsewhere = await organizationOf(owner, 'Elsewhere')
    await owner.call('POST', `/api/organizations/${elsewhere}/invitations`, { email: who.email, role: 'member' })
    await remove(who)
    await run()
    expect(await isStored(who.email)).toBe(true)
    await endGrace()
    // Codes are the last that expire, a day later: they hold the id alone.
    await bed.stack.emulator.advance(2 * DAY)
    const left = (await atRest()).filter((item) =>
      [who.id, who.email, who.username].some((trace) => JSON.stringify(item).includes(trace)),
    )
    const entries = left.filter(({ action }) => action !== undefined)
    expect(entries.map(({ action, target, actor }) => ({ action, target, actor }))).toEqual([
      { action: 'member.removed', target: who.id, actor: { type: 'system', id: null } },
    ])
    const events = left.filter(({ action }) => action === undefined)
    expect(events.map(({ type, organizationId, data }) => [type, organizationId, data])).toEqual([
      ['member.removed', id, { user_id: who.id, role: 'member' }],
      ['user.deleted', id, { id: who.id }],
    ])
    expect((await mailsTo(who.email))[0]?.subject).toBe('Your account was deleted')
    await owner.signIn()
    const members = await owner.call('GET', `/api/organizations/${elsewhere}/members`)
    expect(members.body).toMatchObject({ invitations: [] })
    // The address is free again, and no sooner.
    await person({ email: who.email })
  })
})
