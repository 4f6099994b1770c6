import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { contract } from '../../../functions/users-me-export/contract.ts'
import { createAccounts } from '../../../lib/adapters/dynamodb/accountStore.ts'
import { createIdentities } from '../../../lib/adapters/dynamodb/identityStore.ts'
import { toAuthenticatorResources } from '../../../lib/authenticators/authenticatorResource.ts'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { peopleOf } from '../members/people.ts'

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
        sessions: [{ client: 'Demo console', current: true }],
        authenticators: [],
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

  it('holds where the user is signed in, what clients were allowed, and the names and uses of authenticators', async () => {
    const { client } = bed.stack
    const { accessToken, secret, recoveryCodes } = await enrollFactors(client)
    const answer = await client.send({ method: 'GET', path: '/api/users/me/export', token: accessToken })
    const lists = await Promise.all(
      ['sessions', 'consents'].map((list) =>
        client.send({ method: 'GET', path: `/api/users/me/${list}`, token: accessToken }),
      ),
    )
    const used = { created_at: expect.any(String), last_used_at: expect.any(String) }
    expect(answer).toMatchObject({
      status: 200,
      body: {
        sessions: [{ current: true }],
        consents: [],
        authenticators: [
          { kind: 'totp', name: null, ...used },
          { kind: 'recovery_codes', name: null, ...used },
        ],
      },
    })
    expect(contract.responses[200].safeParse(answer.body).success).toBe(true)
    const members = z.record(z.string(), z.unknown())
    const whole = { next_cursor: null, ...members.parse(answer.body) }
    for (const { body } of lists) expect(whole).toMatchObject(members.parse(body))
    for (const kept of [secret, ...recoveryCodes]) expect(JSON.stringify(answer.body)).not.toContain(kept)
  })

  it('holds the name of a passkey, and neither its key nor its id', () => {
    const times = { createdAt: Date.UTC(2026, 0, 1), lastUsedAt: Date.UTC(2026, 0, 2) }
    const passkey = { id: 'credential', name: 'Laptop', backupEligible: true, backedUp: false, ...times }
    expect(toAuthenticatorResources({ passkeys: [passkey], totp: undefined, recoveryCodes: undefined })).toEqual([
      { kind: 'passkey', name: 'Laptop', created_at: '2026-01-01T00:00:00Z', last_used_at: '2026-01-02T00:00:00Z' },
    ])
  })

  it('holds the identities at OpenID providers', async () => {
    const { owner, member } = await team()
    const { documents, client } = bed.stack
    const table = client.info.tables.accounts
    const account = await createAccounts(documents, table).find(owner.id)
    if (account === undefined) throw new Error('no account')
    const identities = createIdentities(documents, table)
    const identity = { issuer: 'https://acme.example', subject: 's-1', providerId: 'acme' }
    await identities.link(account, { ...identity, email: 'me@acme.example' }, Date.UTC(2026, 0, 1))
    await identities.link(account, { ...identity, subject: 's-2' }, Date.UTC(2026, 0, 2))
    const shown = { provider: 'acme', issuer: 'https://acme.example' }
    const answer = await owner.call('GET', '/api/users/me/export')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        providers: [
          { ...shown, subject: 's-1', email: 'me@acme.example', connected_at: '2026-01-01T00:00:00Z' },
          { ...shown, subject: 's-2', email: null, connected_at: '2026-01-02T00:00:00Z' },
        ],
      },
    })
    expect(contract.responses[200].safeParse(answer.body).success).toBe(true)
    expect(await member.call('GET', '/api/users/me/export')).toMatchObject({ body: { providers: [] } })
  })

  it('holds no entries of an organization whose audit log the user may not read', async () => {
    const { member } = await team()
    const answer = await member.call('GET', '/api/users/me/export')
    expect(answer).toMatchObject({ status: 200, body: { organizations: [{ role: 'member' }], audit_entries: [] } })
  })
})
