import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { useBillingStack } from '../../support/billingStack.ts'
import { peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const { person, team, mailsTo, tokenMailedTo } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const DAY = 24 * 3600
const accept = '/api/organizations/invitations/accept'
const newAddress = () => `guest-${randomUUID().slice(0, 8)}@example.com`
const invitation = z.object({ id: z.string(), expires_at: z.iso.datetime() })

/** A team that has invited an address, with the link of the mail. */
async function invited(role = 'billing_admin') {
  const { owner, path, id, member } = await team()
  const email = newAddress()
  const { body } = await owner.call('POST', `${path}/invitations`, { email, role })
  const first = invitation.parse(body)
  const token = await tokenMailedTo(email)
  return { owner, member, path, id, email, first, token, resend: `${path}/invitations/${first.id}/resend` }
}

describe('POST /api/organizations/{organization_id}/invitations/{invitation_id}/resend', () => {
  it('mails a new link with the same role, and only that link works', async () => {
    const { owner, path, id, email, first, token, resend } = await invited()
    await bed.stack.emulator.advance(60)
    const answer = await owner.call('POST', resend)
    expect(answer).toMatchObject({ status: 202, body: { id: first.id, email, role: 'billing_admin' } })
    expect(invitation.parse(answer.body).expires_at > first.expires_at).toBe(true)
    expect((await owner.call('GET', `${path}/members`)).body).toMatchObject({ invitations: [answer.body] })
    expect(await mailsTo(email)).toHaveLength(2)
    const guest = await person({ email })
    expect(await guest.call('POST', accept, { token })).toMatchObject({ body: { code: 'invitation_invalid' } })
    const fresh = await tokenMailedTo(email)
    expect(await guest.call('POST', accept, { token: fresh })).toMatchObject({
      status: 200,
      body: { id, role: 'billing_admin' },
    })
  })

  it('is in the audit log by its own name', async () => {
    const { owner, path, first, resend } = await invited('member')
    await owner.call('POST', resend)
    expect((await owner.call('GET', `${path}/audit-log?limit=1`)).body).toMatchObject({
      entries: [{ action: 'invitation.resent', target: first.id, detail: { role: 'member' } }],
    })
  })

  it('writes the mail in the language of the request', async () => {
    const { owner, email, resend } = await invited()
    await owner.call('POST', resend, undefined, { 'accept-language': 'de' })
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual([
      'Sie sind in eine Organisation eingeladen',
      'You’re invited to join an organization',
    ])
  })

  it('sends an expired invitation again, for 7 days', async () => {
    const { owner, id, email, resend } = await invited()
    await bed.stack.emulator.advance(8 * DAY)
    await owner.signIn()
    expect((await owner.call('POST', resend)).status).toBe(202)
    const guest = await person({ email })
    const token = await tokenMailedTo(email)
    expect(await guest.call('POST', accept, { token })).toMatchObject({ status: 200, body: { id } })
  })

  it('answers 404 once the invitation is revoked, and sends nothing', async () => {
    const { owner, path, email, first, resend } = await invited()
    await owner.call('DELETE', `${path}/invitations/${first.id}`)
    expect(await owner.call('POST', resend)).toMatchObject({ status: 404, body: { code: 'invitation_not_found' } })
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('answers 404 once the invitation is used', async () => {
    const { owner, email, token, resend } = await invited()
    await (await person({ email })).call('POST', accept, { token })
    expect(await owner.call('POST', resend)).toMatchObject({ status: 404, body: { code: 'invitation_not_found' } })
  })

  it('is refused to members who are no owner', async () => {
    const { member, email, resend } = await invited()
    expect(await member.call('POST', resend)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('counts as an invitation: 429 after 10 mails of the organization to the address', async () => {
    const { owner, email, resend } = await invited()
    const statuses: number[] = []
    for (let sent = 1; sent < 11; sent += 1) statuses.push((await owner.call('POST', resend)).status)
    expect(statuses).toEqual([...Array<number>(9).fill(202), 429])
    expect(await mailsTo(email)).toHaveLength(10)
  })

  it('leaves the earlier link valid if others have used up the mails of the address', async () => {
    const { owner, id, email, token, resend } = await invited()
    const strangers = await team()
    for (let sent = 0; sent < 9; sent += 1) {
      await strangers.owner.call('POST', `${strangers.path}/invitations`, { email, role: 'member' })
    }
    expect((await owner.call('POST', resend)).status).toBe(202)
    const guest = await person({ email })
    expect(await guest.call('POST', accept, { token })).toMatchObject({ status: 200, body: { id } })
  })
})
