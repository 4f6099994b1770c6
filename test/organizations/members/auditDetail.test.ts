import { describe, expect, it } from '@jest/globals'
import { type OrganizationId, organizationIdSchema } from '../../../lib/core/ids.ts'
import { type AuditAction, auditActions, auditDetails } from '../../../lib/organizations/auditActions.ts'
import { auditDetailResource } from '../../../lib/organizations/auditDetail.ts'
import { auditEntryResource, toAuditEntryResource } from '../../../lib/organizations/auditLogResource.ts'
import type { StoredAuditEntry } from '../../../lib/organizations/ports.ts'
import { readWholeAuditLog } from '../../../lib/organizations/readAuditLog.ts'

const time = '2026-11-20T08:00:00Z'
const organizationId: OrganizationId = organizationIdSchema.parse('4ea16e72-9150-4f9b-b087-5d6cb1cfde05')

/** An entry of each action as it is stored, with everything that may be shown of it. */
const stored = {
  'organization.created': { name: 'Acme' },
  'organization.renamed': { from: 'Acme', to: 'Beta' },
  'organization.transferred': { to: 'u-2' },
  'organization.gateway_changed': { from: 'card', to: 'invoice', days_until_due: 30 },
  'organization.sign_in_rules_changed': {
    second_factor_required_from: null,
    max_session_days: 30,
    idle_hours: null,
    allowed_clients: ['partner'],
  },
  'organization.throttled': { requests_per_minute: 60, until: time },
  'organization.throttle_lifted': {},
  'organization.deletion_scheduled': {},
  'organization.restored': {},
  'organization.erased': {},
  'member.invited': { role: 'member' },
  'member.joined': { role: 'member' },
  'member.role_changed': { from: 'member', to: 'owner' },
  'member.removed': { role: 'member' },
  'member.left': { role: 'member' },
  'member.factors_reset_approved': {},
  'invitation.resent': { role: 'member' },
  'invitation.revoked': {},
  'invitation.declined': {},
  'subscription.purchased': { plan_code: 'base_ota', status: 'active', coupon_code: null },
  'subscription.renewed': { period_end: time },
  'subscription.status_changed': { from: 'active', to: 'past_due' },
  'subscription.cancellation_scheduled': { cancel_at: time, reason: 'unused' },
  'subscription.resumed': {},
  'subscription.canceled': { ended_at: time, reason: 'unused' },
  'subscription.adopted': { from: 'none', to: 'active' },
  'subscription.released': { from: 'active', to: 'none' },
  'subscription.refunded': { plan_code: 'base_ota' },
  'api_client.created': { name: 'Robot', scopes: ['billing:read'] },
  'api_client.rotated': { expire_previous: '24h' },
  'api_client.scopes_changed': { scopes: ['billing:read'] },
  'api_client.deleted': { name: 'Robot' },
  'webhook_endpoint.created': { host: 'example.com', event_types: null },
  'webhook_endpoint.updated': { host: 'example.com', event_types: ['invoice.paid'], changed: ['event_types'] },
  'webhook_endpoint.secret_rotated': { host: 'example.com', event_types: null },
  'webhook_endpoint.deleted': { host: 'example.com', event_types: null },
  'domain.added': { domain: 'example.com' },
  'domain.verified': { domain: 'example.com' },
  'domain.lost': { domain: 'example.com' },
  'domain.membership_changed': { domain: 'example.com', membership: 'offer' },
  'domain.deleted': { domain: 'example.com' },
  'sso.updated': { issuer: 'https://login.example.com', requirement: 'required', changed: ['enforced'] },
  'sso.deleted': { issuer: 'https://login.example.com' },
  'payment_method.default_changed': {},
  'payment_method.removed': {},
  'details.changed': { changed: ['name'] },
  'invoice.written_off': { amount: 4900, currency: 'usd' },
  'user.suspended': {},
  'user.restored': {},
  'user.signed_out': {},
  'user.factor_removal_scheduled': { effective_at: time },
  'user.factors_removed': {},
  'user.totp_removed': {},
} as const satisfies Record<AuditAction, Record<string, unknown>>

const cases = auditActions.map((action) => ({ action, detail: stored[action] }))

function entryOf(action: string, detail: Record<string, unknown>): StoredAuditEntry {
  const members: StoredAuditEntry['detail'] = JSON.parse(JSON.stringify(detail))
  const actor = { type: 'user', id: 'u-1' } as const
  const id = '608d5461-01fd-43c5-9f3f-a02deb29c547'
  return { organizationId, id, at: Date.parse(time), actor, action, target: 'ota', detail: members }
}

describe('An entry of the audit log, as it is answered', () => {
  it.each(cases)('$action has the members that its action names, and no number of our own', ({ action, detail }) => {
    const answered = toAuditEntryResource(entryOf(action, { ...detail, n: 3, rev: 7 }))
    expect(answered.detail).toEqual(detail)
    expect(auditEntryResource.parse(answered)).toEqual(answered)
    expect(Object.keys(detail)).toEqual(Object.keys(auditDetails[action].shape))
    expect(auditDetails[action].parse(detail)).toEqual(detail)
  })

  it('has each member of some action in its document, and no other', () => {
    const named = new Set(Object.values(auditDetails).flatMap(({ shape }) => Object.keys(shape)))
    expect([...named].sort()).toEqual(Object.keys(auditDetailResource.shape).sort())
  })

  it('of an action that another version wrote has what this version can read', () => {
    const answered = toAuditEntryResource(entryOf('drone.flown', { name: 'Acme', n: 1, height: 20 }))
    expect(answered).toMatchObject({ action: 'drone.flown', detail: { name: 'Acme' } })
    expect(toAuditEntryResource(entryOf('drone.flown', { name: 7 })).detail).toEqual({})
  })
})

describe('The whole audit log', () => {
  const caller = { userId: 'u-1' } as never
  const request = { organizationId, caller }
  const organizations = { read: async () => ({ organization: {}, roleOf: () => 'owner' }) as never }

  /** A log of this many entries, of which each query answers at most 300. */
  function logOf(count: number) {
    return {
      list: async (_id: OrganizationId, { after = '0' }: { after?: string | undefined }) => {
        const from = Number(after)
        const to = Math.min(from + 300, count)
        const entries = Array.from({ length: to - from }, (_, at) => entryOf('member.left', { role: `${from + at}` }))
        return { entries, ...(to < count && { next: `${to}` }) }
      },
    }
  }

  const read = (count: number, resourceOf: (entry: StoredAuditEntry) => unknown) =>
    readWholeAuditLog(
      { organizations, auditLog: logOf(count), clock: { now: () => 0, sync: async () => {} } },
      request,
      { resourceOf },
    )

  it('is every entry in order, over all pages', async () => {
    const roles = await read(1000, ({ detail }) => detail.role)
    expect(roles).toEqual(Array.from({ length: 1000 }, (_, at) => `${at}`))
    expect(await read(0, ({ detail }) => detail.role)).toEqual([])
  })

  it('ends at 10,000 entries, and before an answer would be too large for Lambda', async () => {
    expect(await read(10_050, ({ detail }) => detail.role)).toHaveLength(10_000)
    expect(await read(600, () => 'x'.repeat(10_000))).toHaveLength(499)
  })
})
