import * as z from 'zod/mini'
import type { AuditDetailMember } from './auditDetail.ts'
import type { AuditAction } from './ports.ts'

/** Every action, with the members of its detail. What an entry has beside them, such as a number of our own, is not answered. */
export const auditDetails = {
  'organization.created': ['name'],
  'organization.renamed': ['from', 'to'],
  'organization.transferred': ['to'],
  'organization.gateway_changed': ['from', 'to', 'days_until_due'],
  'organization.sign_in_rules_changed': [
    'second_factor_required_from',
    'max_session_days',
    'idle_hours',
    'allowed_clients',
  ],
  'organization.throttled': ['requests_per_minute', 'until'],
  'organization.throttle_lifted': [],
  'organization.deletion_scheduled': [],
  'organization.restored': [],
  'organization.erased': [],
  'member.invited': ['role'],
  'member.joined': ['role'],
  'member.role_changed': ['from', 'to'],
  'member.removed': ['role'],
  'member.left': ['role'],
  'member.factors_reset_approved': [],
  'invitation.resent': ['role'],
  'invitation.revoked': [],
  'invitation.declined': [],
  'subscription.purchased': ['plan_code', 'status', 'coupon_code'],
  'subscription.renewed': ['period_end'],
  'subscription.status_changed': ['from', 'to'],
  'subscription.cancellation_scheduled': ['cancel_at', 'reason'],
  'subscription.resumed': [],
  'subscription.canceled': ['ended_at', 'reason'],
  'subscription.adopted': ['from', 'to'],
  'subscription.released': ['from', 'to'],
  'subscription.refunded': ['plan_code'],
  'api_client.created': ['name', 'scopes'],
  'api_client.rotated': ['expire_previous'],
  'api_client.scopes_changed': ['scopes'],
  'api_client.deleted': ['name'],
  'webhook_endpoint.created': ['host', 'event_types'],
  'webhook_endpoint.updated': ['host', 'event_types'],
  'webhook_endpoint.secret_rotated': ['host', 'event_types'],
  'webhook_endpoint.deleted': ['host', 'event_types'],
  'domain.added': ['domain'],
  'domain.verified': ['domain'],
  'domain.lost': ['domain'],
  'domain.membership_changed': ['domain', 'membership'],
  'domain.deleted': ['domain'],
  'payment_method.default_changed': [],
  'payment_method.removed': [],
  'details.changed': ['changed'],
  'invoice.written_off': ['amount', 'currency'],
  'user.suspended': [],
  'user.restored': [],
  'user.signed_out': [],
  'user.factor_removal_scheduled': ['effective_at'],
  'user.factors_removed': [],
  'user.totp_removed': [],
} as const satisfies Record<AuditAction, readonly AuditDetailMember[]>

export const auditActions: readonly AuditAction[] = Object.keys(auditDetails).filter(isAuditAction)

export const auditActionSchema = z.enum(auditActions)

/** Whether this version knows the action: others may have written more. */
export function isAuditAction(action: string): action is AuditAction {
  return Object.hasOwn(auditDetails, action)
}
