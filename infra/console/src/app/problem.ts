import { ConnectionError, type ErrorCode, isApiError } from '../../../client/src/index.ts'
import { PaymentError } from '../billing/paymentError.ts'

/** A failure in a customer's words, with what support needs to find it. */
export interface Problem {
  readonly text: string
  readonly requestId?: string
}

/** Codes for which the API's own sentence does not say what to do. */
const texts: Partial<Record<ErrorCode, string>> = {
  service_unavailable: 'The service cannot answer right now. Nothing was changed twice: please try again in a moment.',
  gateway_unavailable: 'The payment provider cannot be reached right now. It is safe to try again in a moment.',
  gateway_refused: 'The payment provider did not accept this. Please check what you entered, or contact support.',
  internal_error: 'Something went wrong on our side. Please try again in a moment.',
  rate_limited: 'That was a lot at once. Please wait a little and try again.',
  request_in_progress: 'This is being done already. Please wait a moment.',
  forbidden: 'Your role in this organization does not allow this. Ask an owner.',
  organization_not_found: 'This organization does not exist, or you are not a member of it.',
  last_owner: 'An organization needs an owner. Make someone else an owner first.',
  sole_owner: 'You are the only owner of an organization with other members. Make someone else an owner first.',
  organization_subscribed:
    'There are subscriptions left. Cancel them first; a canceled one may run until the end of its period.',
  organization_deleting: 'This organization is being deleted. An owner can restore it in its settings.',
  too_many_organizations: 'You own many organizations. Delete or leave some of them first.',
  member_not_found: 'This person is not a member any more.',
  email_not_verified: 'Please verify your email address first. The link is in the email we sent you.',
  payment_method_in_use: 'This card pays for your subscriptions. Add another card and make it the default first.',
  payment_method_required: 'Choose a card to pay with.',
  payment_method_not_found: 'This card is not there any more.',
  payment_method_invalid: 'This card cannot be used any more. Choose another one.',
  card_declined: 'The bank declined the card. Try another card, or ask your bank.',
  card_not_accepted: 'This organization pays by invoice, so it needs no card.',
  nothing_to_pay: 'There is nothing left to pay.',
  subscription_ended: 'This subscription has ended. You can buy the product again.',
  checkout_in_progress: 'A purchase of this product is being finished. Please wait a moment.',
  username_already_exists: 'This username is taken. Choose another one.',
  validation_error: 'Please check what you entered.',
  api_client_not_found: 'This API client is not there any more.',
  api_client_rotating:
    'This API client got a new secret in the last 24 hours. If that one is lost, create another API client.',
  too_many_api_clients: 'An organization has 20 API clients at most. Delete one that is not used any more.',
  not_subscribed: 'There is no subscription to this product.',
}

/** Shown only where the console has sent the user to sign in again, and that was not enough. */
const signInAgain =
  'The sign-in is still not recent enough for this. Please try again, and sign in when you are asked to.'

/** What to show for something that was thrown. */
export function problemOf(error: unknown): Problem {
  if (error instanceof PaymentError) return { text: error.message }
  if (error instanceof ConnectionError)
    return { text: 'No connection to the service. Check your internet connection, then try again.' }
  if (isApiError(error)) {
    const { code, detail, requestId, stepUp } = error
    return {
      text: stepUp === undefined ? (texts[code] ?? withPeriod(detail)) : signInAgain,
      ...(requestId !== undefined && { requestId }),
    }
  }
  return { text: 'Something went wrong in the page. Reload it and try again.' }
}

function withPeriod(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
