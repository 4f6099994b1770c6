import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createMailBudgets } from '../../../lib/adapters/dynamodb/mailBudgetStore.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const { person, team, mailsTo, tokenMailedTo } = peopleOf(bed)
afterEach(() => bed.stack.dynamoDb.reset())

const newAddress = () => `guest-${randomUUID().slice(0, 8)}@example.com`

describe('The budgets of invitations', () => {
  it('refuse with 429 and Retry-After what an organization sends too much, without a mail or an entry, and nothing of another', async () => {
    const { owner, path } = await team()
    const invite = (email: string) => owner.call('POST', `${path}/invitations`, { email, role: 'member' })
    const budget = createMailBudgets(bed.stack.documents, bed.stack.client.info.tables.accounts)
    const now = (await bed.stack.emulator.now()) * 1000
    const organization = { kind: 'invitation_by_organization', subject: path.split('/').at(-1) ?? '' } as const
    for (let sent = 0; sent < 99; sent += 1) {
      await budget.spend(organization, { everyMs: 900_000, latestFull: Number.MAX_SAFE_INTEGER, now })
    }
    expect((await invite(newAddress())).status).toBe(202)
    const email = newAddress()
    const refusal = await invite(email)
    expect(refusal).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } })
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0)
    expect(await mailsTo(email)).toEqual([])
    const other = await team()
    expect((await other.owner.call('POST', `${other.path}/invitations`, { email, role: 'member' })).status).toBe(202)
  })

  // [threat 15.3c]
  it('refuse more than 10 of an organization to one address, and nothing of another organization to it', async () => {
    const [one, other, email] = [await team(), await team(), newAddress()]
    const invite = ({ owner, path }: typeof one) => owner.call('POST', `${path}/invitations`, { email, role: 'member' })
    const statuses: number[] = []
    for (let sent = 0; sent < 11; sent += 1) statuses.push((await invite(one)).status)
    expect(statuses).toEqual([...Array<number>(10).fill(202), 429])
    expect((await invite(other)).status).toBe(202)
  })

  // [threat 30.5a]
  it('keep the invitation and drop its mail once strangers have used up the mails of the address, and answer alike', async () => {
    const [strangers, honest, email] = [await team(), await team(), newAddress()]
    const invite = ({ owner, path }: typeof honest, to: string) =>
      owner.call('POST', `${path}/invitations`, { email: to, role: 'member' })
    for (let sent = 0; sent < 10; sent += 1) expect((await invite(strangers, email)).status).toBe(202)
    const [kept, usual] = [await invite(honest, email), await invite(honest, newAddress())]
    const shape = ({ status, body, headers: { 'content-length': _, ...headers } }: typeof kept) => {
      return { status, headers, members: Object.keys(Object(body)).sort() }
    }
    expect(shape(kept)).toEqual(shape(usual))
    expect(await mailsTo(email)).toHaveLength(10)
    const { body } = await honest.owner.call('GET', `${honest.path}/members`)
    expect(body).toMatchObject({ invitations: expect.arrayContaining([kept.body, usual.body]) })
    const guest = await person({ email })
    expect((await guest.call('GET', '/api/users/me/invitations')).body).toMatchObject({
      invitations: expect.arrayContaining([expect.objectContaining({ organization: { id: honest.id, name: 'Acme' } })]),
    })
  })

  // [threat 30.5a]
  it('leave the link in an earlier mail valid when the mail of a repetition is dropped', async () => {
    const [strangers, honest, email] = [await team(), await team(), newAddress()]
    const invite = ({ owner, path }: typeof honest, role: string) =>
      owner.call('POST', `${path}/invitations`, { email, role })
    await invite(honest, 'member')
    const token = await tokenMailedTo(email)
    for (let sent = 0; sent < 9; sent += 1) await invite(strangers, 'member')
    expect((await invite(honest, 'billing_admin')).status).toBe(202)
    const guest = await person({ email })
    const accepted = await guest.call('POST', '/api/organizations/invitations/accept', { token })
    expect(accepted).toMatchObject({ status: 200, body: { id: honest.id, role: 'billing_admin' } })
    expect((await invite(honest, 'member')).status).toBe(202)
    expect((await guest.call('POST', '/api/organizations/invitations/accept', { token })).body).toMatchObject({
      id: honest.id,
    })
  })
})
