import type { ErrorCode } from '../../../../client/src/index.ts'
import type { PaymentProblem } from '../../billing/paymentError.ts'

const signInAgain = 'The sign-in has expired. Please sign in again.'
const notForApplication = 'The console may not do this. Please contact support.'

/** Failures in a customer's words. */
export const problems = {
  offline: 'No connection to the service. Check your internet connection, then try again.',
  page: 'Something went wrong in the page. Reload it and try again.',
  /** Shown only if the console has sent the user to sign in again, and that was not enough. */
  stepUp: 'The sign-in is still not recent enough for this. Please try again, and sign in when you are asked to.',
  /** A newer refusal than this console knows. */
  refused: 'The service refused this. Please check what you entered, or contact support.',
  codes: {
    access_denied: signInAgain,
    already_member: 'This person is already a member.',
    api_client_not_found: 'This API client no longer exists.',
    api_client_rotating:
      'Another owner has just given this API client a new secret. Reload the page: if you then create a new secret, both of its secrets end.',
    authorization_pending: signInAgain,
    card_declined: 'The bank declined the card. Try another card, or ask your bank.',
    card_not_accepted: 'This organization pays by invoice, so it needs no card.',
    checkout_in_progress: 'We are still completing a purchase of this product. Please wait a moment.',
    client_not_allowed: 'This organization does not allow this application.',
    details_in_use: 'An unpaid invoice needs these details. You can change them, but not remove them.',
    email_already_exists: 'An account with this email address already exists.',
    email_not_verified: 'Please verify your email address first. The link is in the email we sent you.',
    expired_token: signInAgain,
    factor_too_new:
      'Your second factor was added less than 24 hours ago, so it is not enough for this yet. Wait until then, or sign in with an older one.',
    forbidden: 'Your role in this organization does not allow this. Ask an owner.',
    gateway_refused: 'The payment provider did not accept this. Please check what you entered, or contact support.',
    gateway_unavailable: 'The payment provider cannot be reached right now. It is safe to try again in a moment.',
    insufficient_scope: notForApplication,
    insufficient_user_authentication: signInAgain,
    internal_error: 'Something went wrong on our side. Please try again in a moment.',
    invalid_client: notForApplication,
    invalid_grant: signInAgain,
    invalid_request: 'Please check what you entered.',
    invalid_scope: notForApplication,
    invalid_token: signInAgain,
    invitation_invalid: 'This invitation no longer exists.',
    invitation_not_found: 'This invitation no longer exists.',
    last_owner: 'An organization needs an owner. Make someone else an owner first.',
    link_invalid: 'This link no longer works.',
    member_deleting: 'This person’s account is being deleted, so it cannot own an organization.',
    member_not_found: 'This person is no longer a member.',
    not_subscribed: 'There is no subscription to this product.',
    nothing_to_pay: 'There is nothing left to pay.',
    organization_deleting: 'This organization is being deleted. An owner can restore it in its settings.',
    organization_not_found: 'This organization does not exist, or you are not a member of it.',
    organization_owes: 'There are unpaid invoices. Pay them under “Invoices” first, or contact support.',
    organization_subscribed:
      'The organization still has subscriptions. Cancel them first. A canceled subscription may run until the end of its period.',
    payload_too_large: 'That is too much text at once.',
    payment_method_in_use:
      'This card pays for your subscriptions, and no other card has paid yet. Make another card the default, and remove this card after the next payment.',
    payment_method_invalid: 'This card can no longer be used. Choose another card.',
    payment_method_not_found: 'This card no longer exists.',
    invoice_not_found: 'This invoice does not exist.',
    payment_method_required: 'Choose a card to pay with.',
    precondition_failed: 'Someone changed this in the meantime. Reload the page and try again.',
    rate_limited: 'Too many requests at once. Please wait a moment and try again.',
    request_in_progress: 'This is already being done. Please wait a moment.',
    second_factor_required:
      'This organization requires a second factor. Add one under “Sign-in and security”, then sign in again.',
    service_unavailable:
      'The service cannot answer right now. Nothing was changed twice: please try again in a moment.',
    session_not_found: 'This session has already ended.',
    slow_down: signInAgain,
    sole_owner: 'You are the only owner of an organization with other members. Make someone else an owner first.',
    subscription_ended: 'This subscription has ended. You can buy the product again.',
    webhook_delivery_not_found: 'This delivery is no longer listed.',
    webhook_endpoint_not_found: 'This webhook endpoint no longer exists.',
    webhook_endpoint_disabled: 'This webhook endpoint is disabled. Enable it first.',
    too_many_endpoints: 'An organization has 10 webhook endpoints at most. Delete one that you no longer use.',
    too_many_api_clients: 'An organization has 20 API clients at most. Delete one that you no longer use.',
    too_many_attempts: 'Too many requests at once. Please wait a moment and try again.',
    too_many_organizations: 'You own many organizations. Delete or leave some of them first.',
    unauthorized: signInAgain,
    unauthorized_client: notForApplication,
    unexpected_answer: 'The service gave an answer that the page does not understand. Please try again in a moment.',
    unsupported_grant_type: notForApplication,
    username_already_exists: 'This username is taken. Choose another one.',
    validation_error: 'Please check what you entered.',
    wrong_password: 'The password is wrong.',
  } satisfies Record<ErrorCode, string>,
  fields: {
    missing: 'Please fill this in.',
    string_too_short: 'This is too short.',
    string_too_long: 'This is too long.',
    other: 'Please check this.',
    name: 'Use 1 to 100 ordinary characters.',
    email: 'This is not an email address.',
    username: 'Use 3 to 32 letters, digits, dots, dashes or underscores, with a letter or digit at both ends.',
    newPassword:
      'Use 8 to 128 characters that are hard to guess: not your name or address, and no password that is known from a leak.',
    country: 'Choose a country.',
    taxId: 'This does not look like a tax id of that kind.',
  },
  payment: {
    form_loading: 'The card form is still loading. Try again in a moment.',
    form_failed: 'The card form could not be loaded.',
    form_offline: 'The card form could not be loaded. Check your connection and try again.',
    set_up_failed: 'The card could not be set up.',
    not_confirmed: 'The payment was not confirmed.',
  } satisfies Record<PaymentProblem, string>,
}
