import { describe, expect, it } from '@jest/globals'
import { contract } from '../../functions/users-me-export/contract.ts'
import { peopleOf } from '../organizations/people.ts'
import { useBillingStack } from '../support/billingStack.ts'

const bed = useBillingStack()
const { team } = peopleOf(bed)

describe('GET /api/users/me/export', () => {
  it('answers a file with the user, organizations, roles and what the user did, and nothing of others', async () => {
    const { owner, member, path, id } = await team()
    await owner.call('PATCH', path, { name: 'Renamed' })
    await member.call('POST', `${path}/leave`)
    const answer = await owner.call('GET', '/api/users/me/export')
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-disposition': 'attachment; filename="account.json"' },
      body: {
        user: { id: owner.id, email: owner.email, username: owner.username },
        organizations: [{ id, name: 'Renamed', role: 'owner' }],
        consents: [],
        audit_entries: [
          { organization_id: id, action: 'organization.renamed', actor: { type: 'user', id: owner.id } },
          { organization_id: id, action: 'organization.created', actor: { type: 'user', id: owner.id } },
        ],
      },
    })
    expect(contract.responses[200].safeParse(answer.body).success).toBe(true)
    expect(answer.text).not.toMatch(/passwordHash|argon2|digest|securityRev|secret/i)
    expect(answer.text).not.toContain(member.id)
  })

  it('holds no entries of an organization whose audit log the user may not read', async () => {
    const { member } = await team()
    const answer = await member.call('GET', '/api/users/me/export')
    expect(answer).toMatchObject({ status: 200, body: { organizations: [{ role: 'member' }], audit_entries: [] } })
  })
})
