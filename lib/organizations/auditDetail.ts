import * as z from 'zod/mini'
import { described, named } from '../http/schema.ts'

const time = z.optional(z.nullable(z.iso.datetime()))
const text = z.optional(z.string())

/** What changed, in the API: an entry has the members of its action. */
export const auditDetailResource = named(
  'AuditDetail',
  z.object({
    name: described('The name that was given', text),
    from: described('The name, role, state or gateway before', text),
    to: described('The name, role, state or gateway after; of a transfer, the user id of the new owner', text),
    role: described('The role of the member or of the invitation', text),
    plan_code: described('The plan code that was bought', text),
    status: described('The state of the new subscription', text),
    coupon_code: described('The code or id of the coupon; null if there was none', z.optional(z.nullable(z.string()))),
    reason: described('Why it was canceled; left out if no one said', text),
    period_end: described('The end of the new period', time),
    cancel_at: described('When the subscription is going to end', time),
    ended_at: described('When the subscription ended', time),
    effective_at: described('When the second factors are going to be removed', time),
    until: described('When the limit ends', time),
    requests_per_minute: described('How many requests the limit allows', z.optional(z.int())),
    days_until_due: described(
      'How many days an invoice may stay open; null with a card',
      z.optional(z.nullable(z.int())),
    ),
    scopes: described('What the API client may do', z.optional(z.array(z.string()))),
    expire_previous: described('When the previous secret expires', text),
    host: described('The host that events are sent to', text),
    event_types: described(
      'The types of event that are sent; null for all',
      z.optional(z.nullable(z.array(z.string()))),
    ),
    second_factor_required_from: described('From when on members need a second factor; null if none is required', time),
    max_session_days: described(
      'How many days old a sign-in may be; null for any age',
      z.optional(z.nullable(z.int())),
    ),
    idle_hours: described('After how many idle hours a session ends; null for never', z.optional(z.nullable(z.int()))),
    allowed_clients: described(
      'Which third-party clients may act; null for all',
      z.optional(z.nullable(z.array(z.string()))),
    ),
    domain: described('The domain, such as `example.com`', text),
    membership: described('What the domain does for people with an address there', text),
    changed: described('The billing details that were changed', z.optional(z.array(z.string()))),
    amount: described('What was written off, in the currency’s smallest unit', z.optional(z.int())),
    currency: described('ISO 4217, in lower case', text),
  }),
)

export type AuditDetail = z.infer<typeof auditDetailResource>
export type AuditDetailMember = keyof AuditDetail
