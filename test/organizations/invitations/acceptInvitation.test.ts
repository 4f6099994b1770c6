import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { race } from '../../support/race.ts'
import { type Person, peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const { person, organizationOf, team, setRole, stored, expectOwners, tokenMailedTo, switchOff } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const DAY = 24 * 3600
const accepted = '/api/organizations/invitations/accept'
const invalid = {
  status: 400,
  body: errorBody('The invitation is invalid, expired, used or meant for another email address', 'invitation_invalid'),
}
const newAddress = () => `guest-${randomUUID().slice(0, 8)}@example.com`
const invitation = z.object({ id: z.string() })

/** An owner who invited an address, and the token that was mailed there. */
async function invited({ email = newAddress(), role = 'member' } = {}) {
  const owner = await person()
  const id = await organizationOf(owner)
  const path = `/api/organizations/${id}`
  const { status, body } = await owner.call('POST', `${path}/invitations`, { email, role })
  expect(status).toBe(202)
  return { owner, id, path, email, token: await tokenMailedTo(email), invitationId: invitation.parse(body).id }
}

const accept = (who: Person, token: string) => who.call('POST', accepted, { token })

describe('POST /api/organizations/invitations/accept', () => {
  it.each(['member', 'billing_admin', 'owner'])('makes the invited user a %s', async (role) => {
    const { id, email, token, owner, path } = await invited({ role })
    const guest = await person({ email })
    expect(await accept(guest, token)).toMatchObject({ status: 200, body: { id, name: 'Acme', role } })
    expect((await stored(id)).roles).toMatchObject({ [guest.id]: role })
    await expectOwners(id, role === 'owner' ? 2 : 1)
    expect((await guest.call('GET', '/api/organizations')).body).toMatchObject({ organizations: [{ id, role }] })
    expect((await owner.call('GET', `${path}/members`)).body).toMatchObject({ invitations: [] })
  })

  it('ignores the case of the address', async () => {
    const { email, token } = await invited({ email: newAddress().replace('guest', 'GUEST') })
    const guest = await person({ email: email.toLowerCase().replace('example', 'EXAMPLE') })
    expect((await accept(guest, token)).status).toBe(200)
  })

  it('answers the same again to the user who accepted it, and to no other user', async () => {
    const { email, token, id } = await invited()
    const guest = await person({ email })
    const first = await accept(guest, token)
    bed.stack.dynamoDb.reset()
    expect(await accept(guest, token)).toEqual(first)
    expect(bed.stack.writes()).toEqual([])
    expect(await accept(await person(), token)).toMatchObject(invalid)
    expect(Object.keys((await stored(id)).roles)).toHaveLength(2)
  })

  // [threat 65]
  it('adds the member once for 20 requests at once, and answers all of them alike', async () => {
    const { email, token, id } = await invited({ role: 'owner' })
    const guest = await person({ email })
    bed.stack.dynamoDb.reset()
    const answers = await race(() => accept(guest, token))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    await expectOwners(id, 2)
  })

  it('does not bring back a member who was removed since', async () => {
    const { email, token, owner, path, id } = await invited()
    const guest = await person({ email })
    await accept(guest, token)
    expect((await owner.call('DELETE', `${path}/members/${guest.id}`)).status).toBe(204)
    expect(await accept(guest, token)).toMatchObject(invalid)
    expect((await stored(id)).roles).not.toHaveProperty(guest.id)
  })

  // [threat 61]
  it('refuses users with another address, and does not use the token', async () => {
    const { email, token } = await invited()
    expect(await accept(await person(), token)).toMatchObject(invalid)
    expect(await accept(await person({ email: `x${email}` }), token)).toMatchObject(invalid)
    expect((await accept(await person({ email }), token)).status).toBe(200)
  })

  it('refuses the invited user while the address is not verified, as it does with any token', async () => {
    const { email, token, id } = await invited()
    const unverified = await person({ email, isVerified: false })
    const refusal = { status: 403, body: errorBody('The email address is not verified', 'email_not_verified') }
    expect(await accept(unverified, token)).toMatchObject(refusal)
    expect(await accept(unverified, 'unknown')).toMatchObject(refusal)
    expect((await stored(id)).roles).not.toHaveProperty(unverified.id)
  })

  it('accepts a token for 7 days and not longer', async () => {
    const [early, late] = await Promise.all([invited(), invited()])
    const [guest, latecomer] = await Promise.all([person({ email: early.email }), person({ email: late.email })])
    await bed.stack.emulator.advance(7 * DAY - 60)
    await Promise.all([guest.signIn(), latecomer.signIn(), late.owner.signIn()])
    expect((await accept(guest, early.token)).status).toBe(200)
    await bed.stack.emulator.advance(61)
    expect(await accept(latecomer, late.token)).toMatchObject(invalid)
    expect((await late.owner.call('GET', `${late.path}/members`)).body).toMatchObject({ invitations: [] })
  })

  it.each(['unknown', 'A'.repeat(43), 'ü'])('refuses the token %s', async (token) => {
    expect(await accept(await person(), token)).toMatchObject(invalid)
  })

  it('answers 409 to an existing member, and keeps their role', async () => {
    const { email, token, id } = await invited({ role: 'owner' })
    const guest = await person({ email })
    await setRole(id, guest, 'member')
    expect(await accept(guest, token)).toMatchObject({
      status: 409,
      body: errorBody('ALREADY_MEMBER', 'already_member'),
    })
    expect((await stored(id)).roles).toMatchObject({ [guest.id]: 'member' })
    await expectOwners(id, 1)
  })

  it('answers 409 to an owner who invited themselves', async () => {
    const owner = await person()
    const id = await organizationOf(owner)
    await owner.call('POST', `/api/organizations/${id}/invitations`, { email: owner.email, role: 'member' })
    const answer = await accept(owner, await tokenMailedTo(owner.email))
    expect(answer).toMatchObject({ status: 409, body: errorBody('ALREADY_MEMBER', 'already_member') })
    await expectOwners(id, 1)
  })

  it('answers 401 to an inactive user', async () => {
    const { email, token } = await invited()
    const guest = await person({ email })
    await switchOff(guest)
    expect(await accept(guest, token)).toMatchObject({ status: 401, body: errorBody('Unauthorized', 'invalid_token') })
  })
})

describe('An invitation is void', () => {
  it('once a newer one was sent to the same address, in whatever case', async () => {
    const { email, token, owner, path } = await invited()
    await owner.call('POST', `${path}/invitations`, { email: email.toUpperCase(), role: 'billing_admin' })
    const newer = await tokenMailedTo(email.toUpperCase())
    const guest = await person({ email })
    expect(await accept(guest, token)).toMatchObject(invalid)
    const { body } = await owner.call('GET', `${path}/members`)
    expect(z.object({ invitations: z.array(z.unknown()) }).parse(body).invitations).toHaveLength(1)
    expect(await accept(guest, newer)).toMatchObject({ status: 200, body: { role: 'billing_admin' } })
  })

  it('once it was revoked, and is not there to be revoked again', async () => {
    const { email, token, owner, path, invitationId } = await invited()
    const revoke = () => owner.call('DELETE', `${path}/invitations/${invitationId}`)
    expect(await revoke()).toMatchObject({ status: 204, text: '' })
    expect(await revoke()).toMatchObject({ status: 404, body: { code: 'invitation_not_found' } })
    expect(await accept(await person({ email }), token)).toMatchObject(invalid)
    expect((await owner.call('GET', `${path}/members`)).body).toMatchObject({ invitations: [] })
  })

  it('once its sender is no longer an owner', async () => {
    const { email, token, owner, path, id } = await invited()
    const successor = await person()
    await setRole(id, successor, 'owner')
    expect((await successor.call('DELETE', `${path}/members/${owner.id}`)).status).toBe(204)
    expect((await successor.call('GET', `${path}/members`)).body).toMatchObject({ invitations: [] })
    expect(await accept(await person({ email }), token)).toMatchObject(invalid)
    expect(await accept(owner, token)).toMatchObject(invalid)
  })

  it('and a malformed id of one is 422', async () => {
    const { owner, path } = await team()
    const answer = await owner.call('DELETE', `${path}/invitations/short`)
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'invitation_id'] }] } })
  })
})

describe('Revoking and accepting an invitation at once', () => {
  it('ends with one or the other', async () => {
    for (let n = 0; n < 5; n += 1) {
      const { email, token, owner, path, invitationId, id } = await invited()
      const guest = await person({ email })
      const [answer] = await Promise.all([
        accept(guest, token),
        owner.call('DELETE', `${path}/invitations/${invitationId}`),
      ])
      const { roles } = await stored(id)
      expect([200, 400]).toContain(answer.status)
      expect(Object.hasOwn(roles, guest.id)).toBe(answer.status === 200)
    }
  })
})
