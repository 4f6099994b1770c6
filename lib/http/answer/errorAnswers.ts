import type { BillingErrorCode } from '../../billing/errors.ts'
import type { CommonErrorCode } from '../../core/errors.ts'
import { RECENT_SIGN_IN_SECONDS, type StepUpErrorCode } from '../../core/stepUp.ts'
import type { EventErrorCode } from '../../events/errors.ts'
import type { OAuthErrorCode, SessionErrorCode } from '../../oauth/errors.ts'
import type { OrganizationErrorCode, PowerfulRole } from '../../organizations/errors.ts'
import type { UserErrorCode } from '../../users/errors.ts'
import type { RequestErrorCode } from '../errors.ts'

/** Every code with which a request can be refused as a whole. */
export type ErrorCode =
  | BillingErrorCode
  | CommonErrorCode
  | EventErrorCode
  | OAuthErrorCode
  | OrganizationErrorCode
  | RequestErrorCode
  | SessionErrorCode
  | StepUpErrorCode
  | Exclude<UserErrorCode, 'email_taken'>
  | 'email_already_exists'

/** An error's public answer: a constant sentence, so that no answer reveals more than its code does. */
export interface ErrorAnswer {
  status: number
  detail: string
  headers?: Readonly<Record<string, string>>
}

/** Consoles written for fastapi-users compare these texts, so they never change. Every other `detail` is a sentence for people. */
export const comparedDetails = {
  last_owner: 'LAST_OWNER',
  already_member: 'ALREADY_MEMBER',
  checkout_in_progress: 'CHECKOUT_IN_PROGRESS',
  username_already_exists: 'USERNAME_ALREADY_EXISTS',
  email_already_exists: 'EMAIL_ALREADY_EXISTS',
  wrong_credentials: 'LOGIN_BAD_CREDENTIALS',
  wrong_password: 'BAD_PASSWORD',
} as const

const stepUp = 'Sign in again to continue: the last sign-in must be within 10 minutes'

/** The same if the rules of the organization ask. */
export const ruledStepUp = 'Sign in again: the sign-in rules of this organization require it'

/** Who may do what the role of the caller does not allow, by the least powerful role that may. */
export const onlyFor = {
  owner: 'Only owners of the organization may do this',
  billing_admin: 'Only owners and billing admins of the organization may do this',
} as const satisfies Record<PowerfulRole, string>

const retryLater = { 'retry-after': '5' }

/**
 * The table from error codes to answers; a new code does not compile until it has a row. Challenges follow RFC 6750 §3 and RFC 9470 §3.
 * The sentences of OAuth codes are also `error_description`s: neither `"` nor `\` (RFC 6749 §5.2).
 */
export const errorAnswers = {
  unauthorized: { status: 401, detail: 'Unauthorized', headers: { 'www-authenticate': 'Bearer' } },
  invalid_token: {
    status: 401,
    detail: 'Unauthorized',
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  },
  // If the organization asks, or for a second factor, the sentence and the challenge come from the error.
  insufficient_user_authentication: {
    status: 401,
    detail: stepUp,
    headers: {
      'www-authenticate': `Bearer error="insufficient_user_authentication", error_description="${stepUp}", max_age="${RECENT_SIGN_IN_SECONDS}"`,
    },
  },
  // Its Retry-After comes from the error.
  factor_too_new: {
    status: 403,
    detail:
      'Your second factor was added within the last 24 hours and is not enough for this action yet; wait, or sign in with an older factor',
  },
  session_not_found: { status: 404, detail: 'Session not found' },
  consent_not_found: { status: 404, detail: 'Consent not found' },
  // The scope in its challenge comes from the error.
  insufficient_scope: {
    status: 403,
    detail: 'The access token was not granted the scope of this operation',
    headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' },
  },
  precondition_failed: { status: 412, detail: 'The resource has changed since you read it' },
  organization_not_found: { status: 404, detail: 'Organization not found' },
  // If a role is missing, the sentence comes from the error.
  forbidden: { status: 403, detail: 'Clients that act by themselves may not do this' },
  second_factor_required: {
    status: 403,
    detail: 'This organization requires a second factor; add one to your account, then sign in again',
  },
  client_not_allowed: { status: 403, detail: 'This organization does not allow this application' },
  member_not_found: { status: 404, detail: 'Member not found' },
  last_owner: { status: 409, detail: comparedDetails.last_owner },
  break_glass_owner: {
    status: 409,
    detail: 'This owner enforced the single sign-on; let another owner save it, or end that it is enforced',
  },
  member_deleting: { status: 409, detail: 'The account of this member is being deleted' },
  already_member: { status: 409, detail: comparedDetails.already_member },
  invitation_not_found: { status: 404, detail: 'Invitation not found' },
  invitation_invalid: {
    status: 400,
    detail: 'The invitation is invalid, expired, used or meant for another email address',
  },
  api_client_not_found: { status: 404, detail: 'API client not found' },
  too_many_api_clients: { status: 409, detail: 'The organization has 20 API clients; delete one first' },
  api_client_rotating: {
    status: 409,
    detail: 'The API client already has two secrets; send `expire_previous` `now` to end both',
  },
  webhook_endpoint_not_found: { status: 404, detail: 'Webhook endpoint not found' },
  webhook_endpoint_disabled: { status: 409, detail: 'The webhook endpoint is disabled; enable it first' },
  webhook_delivery_not_found: { status: 404, detail: 'Webhook delivery not found' },
  too_many_endpoints: { status: 409, detail: 'The organization has 10 webhook endpoints; delete one first' },
  domain_not_found: { status: 404, detail: 'Domain not found' },
  domain_not_proven: { status: 409, detail: 'The TXT record that proves the domain was not found' },
  domain_taken: { status: 409, detail: 'The domain belongs to another organization; it must delete the domain first' },
  too_many_domains: { status: 409, detail: 'The organization has 20 domains; delete one first' },
  sso_not_found: { status: 404, detail: 'The organization has no single sign-on' },
  domain_required: { status: 409, detail: 'The organization has no verified domain; verify one first' },
  email_not_verified: { status: 403, detail: 'The email address is not verified' },
  not_subscribed: { status: 404, detail: 'Subscription not found' },
  subscription_ended: { status: 409, detail: 'The subscription has ended; the product can be bought again' },
  nothing_to_pay: { status: 409, detail: 'The subscription has no open invoice' },
  card_declined: { status: 402, detail: 'The bank declined the card' },
  payment_method_required: { status: 402, detail: 'No card was given and the organization has none on file' },
  payment_method_invalid: { status: 402, detail: 'This is not a card of the organization' },
  payment_method_not_found: { status: 404, detail: 'Payment method not found' },
  payment_method_in_use: {
    status: 409,
    detail: 'This card pays for a subscription; make another card the default first',
  },
  card_not_accepted: { status: 409, detail: 'The organization pays by invoice and cannot use a card' },
  invoice_not_found: { status: 404, detail: 'Invoice not found' },
  details_in_use: {
    status: 409,
    detail: 'An unpaid invoice needs these billing details; replace them, do not remove them',
  },
  checkout_in_progress: { status: 409, detail: comparedDetails.checkout_in_progress },
  username_already_exists: { status: 409, detail: comparedDetails.username_already_exists },
  email_already_exists: { status: 409, detail: comparedDetails.email_already_exists },
  wrong_credentials: { status: 400, detail: comparedDetails.wrong_credentials },
  wrong_password: { status: 400, detail: comparedDetails.wrong_password },
  link_invalid: { status: 400, detail: 'The link is invalid, expired or already used' },
  gateway_refused: { status: 502, detail: 'The payment gateway refused the request' },
  gateway_unavailable: {
    status: 503,
    detail: 'The payment gateway is unavailable; the request is safe to send again',
    headers: retryLater,
  },
  service_unavailable: {
    status: 503,
    detail: 'The service is temporarily unavailable; the request is safe to send again',
    headers: retryLater,
  },
  event_not_recorded: { status: 500, detail: 'The event could not be recorded' },
  invalid_signature: { status: 400, detail: 'Invalid signature' },
  thin_event: { status: 400, detail: 'This endpoint takes snapshot events, not thin events' },
  not_found: { status: 404, detail: 'Not Found' },
  method_not_allowed: { status: 405, detail: 'Method Not Allowed' },
  internal_error: { status: 500, detail: 'Internal Server Error' },
  payload_too_large: { status: 413, detail: 'The request body is larger than 32 KiB' },
  event_too_large: { status: 413, detail: 'The event is larger than 1 MiB' },
  unreadable_form: { status: 400, detail: 'The request is not a complete form' },
  foreign_form: { status: 403, detail: 'The form belongs to another session' },
  request_in_progress: {
    status: 409,
    detail: 'A request with this Idempotency-Key is in progress',
    headers: retryLater,
  },
  // The Retry-After of these two comes from the error.
  rate_limited: { status: 429, detail: 'Too many requests' },
  sole_owner: {
    status: 409,
    detail: 'You are the only owner of an organization with other members; make another member an owner first',
  },
  organization_subscribed: { status: 409, detail: 'The organization has subscriptions; cancel them first' },
  organization_owes: {
    status: 409,
    detail: 'The organization has unpaid invoices; pay them first',
  },
  organization_deleting: { status: 409, detail: 'The organization is being deleted; restore it first' },
  too_many_organizations: { status: 409, detail: 'You own too many organizations; leave or delete some first' },
  too_many_attempts: { status: 429, detail: 'Too many attempts' },
  invalid_request: { status: 400, detail: 'A parameter is missing, repeated or malformed' },
  invalid_client: { status: 401, detail: 'Client authentication failed' },
  invalid_grant: {
    status: 400,
    detail: 'The code or refresh token is invalid, expired, used or meant for another client',
  },
  unauthorized_client: { status: 400, detail: 'The client may not use this grant type' },
  unsupported_grant_type: { status: 400, detail: 'The grant type is not supported' },
  invalid_scope: { status: 400, detail: 'The scope is unknown or exceeds the granted scope' },
  authorization_pending: { status: 400, detail: 'The user has not decided yet: poll again after the interval' },
  slow_down: { status: 400, detail: 'The device polls too often: from now on wait 5 seconds longer between polls' },
  access_denied: { status: 400, detail: 'The user did not allow this' },
  expired_token: { status: 400, detail: 'The device code has expired: request a new one' },
} as const satisfies Record<ErrorCode, ErrorAnswer>

/** The code of an error as clients read it; `internal_error` if the table has no row for it. */
export function publicCodeOf(code: string): ErrorCode {
  const name = code === 'email_taken' ? 'email_already_exists' : code
  return isErrorCode(name) ? name : 'internal_error'
}

/** Whether `code` has a row in the table. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorAnswers, code)
}
