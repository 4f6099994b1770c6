import * as z from 'zod/mini'
import { described } from '../http/schema.ts'
import { type AuditDetail, detailMembers as member } from './auditDetail.ts'

const none = () => z.object({})
const { role, name, domain, issuer, host, event_types, reason, scopes } = member

/** A member `from` and a member `to`, of the same thing. */
function fromTo(thing: string) {
  return {
    from: described(`The ${thing} before`, z.string()),
    to: described(`The ${thing} after`, z.string()),
  }
}

/**
 * Every action with its detail: what is written, and what is answered. Code that writes another detail does not compile. The document has a schema
 * for each.
 */
export const auditDetails = {
  'organization.created': z.object({ name }),
  'organization.renamed': z.object(fromTo('name')),
  'organization.transferred': z.object({ to: described('The user id of the new owner', z.string()) }),
  'organization.gateway_changed': z.object({ ...fromTo('gateway'), days_until_due: member.days_until_due }),
  'organization.sign_in_rules_changed': z.object({
    second_factor_required_from: member.second_factor_required_from,
    max_session_days: member.max_session_days,
    idle_hours: member.idle_hours,
    allowed_clients: member.allowed_clients,
  }),
  'organization.throttled': z.object({ requests_per_minute: member.requests_per_minute, until: member.until }),
  'organization.throttle_lifted': none(),
  'organization.deletion_scheduled': none(),
  'organization.restored': none(),
  'organization.erased': none(),
  'member.invited': z.object({ role }),
  'member.joined': z.object({ role }),
  'member.role_changed': z.object(fromTo('role')),
  'member.removed': z.object({ role }),
  'member.left': z.object({ role }),
  'member.factors_reset_approved': none(),
  'invitation.resent': z.object({ role }),
  'invitation.revoked': none(),
  'invitation.declined': none(),
  'subscription.purchased': z.object({
    plan_code: member.plan_code,
    status: member.status,
    coupon_code: member.coupon_code,
  }),
  'subscription.renewed': z.object({ period_end: member.period_end }),
  'subscription.status_changed': z.object(fromTo('status')),
  'subscription.cancellation_scheduled': z.object({
    cancel_at: member.cancel_at,
    reason: z.exactOptional(reason),
  }),
  'subscription.resumed': none(),
  'subscription.canceled': z.object({ ended_at: member.ended_at, reason: z.exactOptional(reason) }),
  'subscription.adopted': z.object(fromTo('state of the product')),
  'subscription.released': z.object(fromTo('state of the product')),
  'subscription.refunded': z.object({ plan_code: member.plan_code }),
  'api_client.created': z.object({ name, scopes }),
  'api_client.rotated': z.object({ expire_previous: member.expire_previous }),
  'api_client.scopes_changed': z.object({ scopes }),
  'api_client.deleted': z.object({ name }),
  'webhook_endpoint.created': z.object({ host, event_types }),
  'webhook_endpoint.updated': z.object({ host, event_types, changed: member.changed }),
  'webhook_endpoint.secret_rotated': z.object({ host, event_types }),
  'webhook_endpoint.deleted': z.object({ host, event_types }),
  'domain.added': z.object({ domain }),
  'domain.verified': z.object({ domain }),
  'domain.lost': z.object({ domain }),
  'domain.membership_changed': z.object({ domain, membership: member.membership }),
  'domain.deleted': z.object({ domain }),
  'sso.updated': z.object({ issuer, requirement: member.requirement, changed: member.changed }),
  'sso.deleted': z.object({ issuer }),
  'payment_method.default_changed': none(),
  'payment_method.removed': none(),
  'details.changed': z.object({ changed: member.changed }),
  'invoice.written_off': z.object({ amount: member.amount, currency: member.currency }),
  'user.suspended': none(),
  'user.restored': none(),
  'user.signed_out': none(),
  'user.factor_removal_scheduled': z.object({ effective_at: member.effective_at }),
  'user.factors_removed': none(),
  'user.totp_removed': none(),
} as const satisfies Record<string, z.ZodMiniObject & z.ZodMiniType<AuditDetail>>

/** The change: resource and past participle. Other versions may have written other actions. */
export type AuditAction = keyof typeof auditDetails

/** Members that are stored and never answered: numbers of our own. */
interface UnansweredMembers {
  'subscription.purchased': { readonly n: number }
  'subscription.refunded': { readonly n: number }
}

/** What is stored of an action; members of other actions do not compile. */
export type AuditDetailOf<Action extends AuditAction> = Readonly<
  z.infer<(typeof auditDetails)[Action]> &
    (Action extends keyof UnansweredMembers ? UnansweredMembers[Action] : unknown) & {
      [Other in Exclude<keyof AuditDetail, keyof z.infer<(typeof auditDetails)[Action]>>]?: never
    }
>

/** An action with its detail. */
export type AuditDone = {
  [Action in AuditAction]: { readonly action: Action; readonly detail: AuditDetailOf<Action> }
}[AuditAction]

export const auditActions: readonly AuditAction[] = Object.keys(auditDetails).filter(isAuditAction)

export const auditActionSchema = z.enum(auditActions)

/** Whether this version knows the action: others may have written more. */
export function isAuditAction(action: string): action is AuditAction {
  return Object.hasOwn(auditDetails, action)
}
