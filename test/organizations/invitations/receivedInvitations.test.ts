import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { useBillingStack } from '../../support/billingStack.ts'
import { race } from '../../support/race.ts'
import { type Person, peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const { person, organizationOf, setRole, stored, tokenMailedTo } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const DAY = 24 * 3600
const list = z.object({
  invitations: z.array(z.object({ id: z.string(), organization: z.object({ id: z.string() }), role: z.string() })),
  next_cursor: z.string().nullable(),
})
const newAddress = () => `guest-${randomUUID().slice(0, 8)}@example.com`
const notFound = { status: 404, body: { code: 'invitation_not_found' } }

/** An organization whose owner has invited the guest. */
async function invitedBy(guest: Pick<Person, 'email'>, role = 'member') {
  const owner = await person()
  const id = await organizationOf(owner)
  const path = `/api/organizations/${id}`
  const { status, body } = await owner.call('POST', `${path}/invitations`, { email: guest.email, role })
  expect(status).toBe(202)
  return { owner, id, path, invitationId: z.object({ id: z.string() }).parse(body).id }
}

const read = async (who: Person, query = '') =>
  list.parse((await who.call('GET', `/api/users/me/invitations${query}`)).body)
const act = (who: Person, id: string, action: 'accept' | 'decline') =>
  who.call('POST', `/api/users/me/invitations/${id}/${action}`)

/** The id of the only invitation of this person. */
async function onlyOf(who: Person): Promise<string> {
  const { invitations } = await read(who)
  expect(invitations).toHaveLength(1)
  return invitations[0]?.id ?? ''
}

describe('GET /api/users/me/invitations', () => {
  it('lists the open invitations to the user’s address, the latest first, and no token', async () => {
    const guest = await person({ email: newAddress() })
    const [first, second] = [await invitedBy(guest), await invitedBy(guest, 'owner')]
    const { status, body, text } = await guest.call('GET', '/api/users/me/invitations')
    const entry = ({ id, owner }: typeof first, role: string) => ({
      id: expect.any(String),
      organization: { id, name: 'Acme' },
      role,
      invited_by: owner.username,
      expires_at: expect.stringMatching(/Z$/),
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: { invitations: [entry(second, 'owner'), entry(first, 'member')], next_cursor: null },
    })
    expect(text).not.toContain(await tokenMailedTo(guest.email))
  })

  it('has nothing for another address, nor what is revoked, expired, void, or of an organization of the user', async () => {
    const guest = await person({ email: newAddress() })
    const [revoked, left, joined] = [await invitedBy(guest), await invitedBy(guest), await invitedBy(guest)]
    expect((await read(await person())).invitations).toEqual([])
    await revoked.owner.call('DELETE', `${revoked.path}/invitations/${revoked.invitationId}`)
    // A former owner's invitations are void.
    await setRole(left.id, await person(), 'owner')
    await setRole(left.id, left.owner, 'member')
    await setRole(joined.id, guest, 'member')
    const deleted = await invitedBy(guest)
    expect((await deleted.owner.call('DELETE', deleted.path)).status).toBe(202)
    expect((await read(guest)).invitations).toEqual([])
    const open = await invitedBy(guest)
    expect((await read(guest)).invitations.map(({ organization }) => organization.id)).toEqual([open.id])
    await bed.stack.emulator.advance(7 * DAY + 10)
    await guest.signIn()
    expect((await read(guest)).invitations).toEqual([])
  })

  it('has one of each organization, however often that invited the address', async () => {
    const guest = await person({ email: newAddress() })
    const { owner, path } = await invitedBy(guest)
    await owner.call('POST', `${path}/invitations`, { email: guest.email.toUpperCase(), role: 'billing_admin' })
    expect((await read(guest)).invitations).toMatchObject([{ role: 'billing_admin' }])
  })

  it('has those of several organizations of the same owner', async () => {
    const guest = await person({ email: newAddress() })
    const { owner, id } = await invitedBy(guest)
    const second = await organizationOf(owner)
    await owner.call('POST', `/api/organizations/${second}/invitations`, { email: guest.email, role: 'member' })
    expect((await read(guest)).invitations.map(({ organization }) => organization.id)).toEqual([second, id])
  })

  it('is read page by page', async () => {
    const guest = await person({ email: newAddress() })
    const made = []
    for (let count = 0; count < 5; count += 1) made.push(await invitedBy(guest))
    const [gone] = made.splice(3, 1)
    await gone?.owner.call('DELETE', `${gone.path}/invitations/${gone.invitationId}`)
    const seen: string[] = []
    let cursor: string | null = ''
    let pages = 0
    while (cursor !== null) {
      const page: z.output<typeof list> = await read(guest, `?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.invitations.map(({ organization }) => organization.id))
      cursor = page.next_cursor
      pages += 1
    }
    expect({ seen, pages }).toEqual({ seen: made.map(({ id }) => id).reverse(), pages: 2 })
    const other = await person()
    const { next_cursor } = await read(guest, '?limit=1')
    expect((await other.call('GET', `/api/users/me/invitations?cursor=${next_cursor}`)).status).toBe(422)
  })
})

describe('POST /api/users/me/invitations/{invitation_id}/accept', () => {
  it('makes the user a member without the mailed token, once', async () => {
    const guest = await person({ email: newAddress() })
    const { id, owner, path } = await invitedBy(guest, 'owner')
    const invitation = await onlyOf(guest)
    const answer = await act(guest, invitation, 'accept')
    expect(answer).toMatchObject({ status: 200, body: { organization_id: id, role: 'owner' } })
    expect((await stored(id)).roles).toMatchObject({ [guest.id]: 'owner' })
    for (const action of ['accept', 'decline'] as const) {
      expect(await act(guest, invitation, action)).toMatchObject(notFound)
    }
    const log = await owner.call('GET', `${path}/audit-log`)
    expect(log.body).toMatchObject({ entries: [{ action: 'member.joined', actor: { id: guest.id } }, {}, {}] })
  })

  // [threat 30.5b]
  it('finds no invitation of another address, and no text that is no id', async () => {
    const guest = await person({ email: newAddress() })
    const { id } = await invitedBy(guest)
    const invitation = await onlyOf(guest)
    const thief = await person()
    for (const action of ['accept', 'decline'] as const) {
      expect(await act(thief, invitation, action)).toMatchObject(notFound)
      expect(await act(thief, 'A'.repeat(43), action)).toMatchObject(notFound)
      expect((await act(thief, 'short', action)).status).toBe(422)
    }
    expect(Object.keys((await stored(id)).roles)).toHaveLength(1)
    expect(await onlyOf(guest)).toBe(invitation)
  })

  it('is done by one of 10 requests at once', async () => {
    const guest = await person({ email: newAddress() })
    await invitedBy(guest)
    const invitation = await onlyOf(guest)
    const answers = await race(() => act(guest, invitation, 'accept'))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status } of answers) expect([200, 404, 429]).toContain(status)
  })
})

describe('POST /api/users/me/invitations/{invitation_id}/decline', () => {
  it('ends the invitation with its mailed link, tells the owners, and leaves them free to invite again', async () => {
    const guest = await person({ email: newAddress() })
    const { owner, path, invitationId } = await invitedBy(guest)
    const token = await tokenMailedTo(guest.email)
    expect(await act(guest, await onlyOf(guest), 'decline')).toMatchObject({ status: 204, text: '' })
    expect((await read(guest)).invitations).toEqual([])
    const accepted = await guest.call('POST', '/api/organizations/invitations/accept', { token })
    expect(accepted).toMatchObject({ status: 400, body: { code: 'invitation_invalid' } })
    expect((await owner.call('GET', `${path}/members`)).body).toMatchObject({ invitations: [] })
    const log = await owner.call('GET', `${path}/audit-log`)
    expect(log.body).toMatchObject({
      entries: [{ action: 'invitation.declined', target: invitationId, actor: { type: 'user', id: guest.id } }, {}, {}],
    })
    await owner.call('POST', `${path}/invitations`, { email: guest.email, role: 'member' })
    expect((await read(guest)).invitations).toHaveLength(1)
  })

  // [threat 30.5b]
  it('is refused, like accepting, to a user whose address is not verified, who sees no invitation', async () => {
    const guest = await person({ email: newAddress(), isVerified: false })
    await invitedBy(guest)
    expect((await read(guest)).invitations).toEqual([])
    for (const action of ['accept', 'decline'] as const) {
      expect(await act(guest, 'A'.repeat(43), action)).toMatchObject({
        status: 403,
        body: { code: 'email_not_verified' },
      })
    }
  })
})
