import * as z from 'zod/mini'
import { described, named } from '../http/schema.ts'

const text = z.string()
const texts = z.array(z.string())
const textsOrNull = z.nullable(texts)
const timeOrNull = z.nullable(z.iso.datetime())
const countOrNull = z.nullable(z.int())

/** The members of details. A name has the same type in every action, so a client can read an action that it does not know. */
export const detailMembers = {
  name: described('The name that was given', text),
  from: described('The name, role, state or gateway before', text),
  to: described('The name, role, state or gateway after; of a transfer, the user id of the new owner', text),
  role: described('The role of the member or of the invitation', text),
  plan_code: described('The plan code that was bought', text),
  status: described('The state of the new subscription', text),
  coupon_code: described('The code or id of the coupon; null if there was none', z.nullable(text)),
  reason: described('Why it was canceled; left out if no one said', text),
  period_end: described('The end of the new period', timeOrNull),
  cancel_at: described('When the subscription is going to end', timeOrNull),
  ended_at: described('When the subscription ended', timeOrNull),
  effective_at: described('When the second factors are going to be removed', timeOrNull),
  until: described('When the limit ends', timeOrNull),
  requests_per_minute: described('How many requests the limit allows', z.int()),
  days_until_due: described('How many days an invoice may stay open; null with a card', countOrNull),
  scopes: described('What the API client may do', texts),
  expire_previous: described('When the previous secret expires', text),
  host: described('The host that events are sent to', text),
  event_types: described('The types of event that are sent; null for all', textsOrNull),
  domain: described('The domain, such as `example.com`', text),
  issuer: described('The issuer of the company’s OpenID provider', text),
  requirement: described(
    'Whether members with an address of a verified domain must use it: `optional` or `required`',
    text,
  ),
  membership: described('What the domain does for people with an address there', text),
  second_factor_required_from: described(
    'From when on members need a second factor; null if none is required',
    timeOrNull,
  ),
  max_session_days: described('How many days old a sign-in may be; null for any age', countOrNull),
  idle_hours: described('After how many idle hours a session ends; null for never', countOrNull),
  allowed_clients: described('Which third-party clients may act; null for all', textsOrNull),
  changed: described('The members that were changed, by their names in the API', texts),
  amount: described('What was written off, in the currency’s smallest unit', z.int()),
  currency: described('ISO 4217, in lower case', text),
}

/** The detail of any action in the API, known or not: an entry has the members of its action. */
export const auditDetailResource = named('AuditDetail', z.partial(z.object(detailMembers)))

export type AuditDetail = z.infer<typeof auditDetailResource>
