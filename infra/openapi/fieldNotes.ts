import { contract as cancel } from '../../functions/billing-cancel/contract.ts'
import { contract as checkout } from '../../functions/billing-checkout/contract.ts'
import { contract as preview } from '../../functions/billing-checkout-preview/contract.ts'
import { contract as entitlements } from '../../functions/billing-entitlements/contract.ts'
import { contract as invoices } from '../../functions/billing-invoices/contract.ts'
import { contract as products } from '../../functions/billing-products/contract.ts'
import { contract as subscriptions } from '../../functions/billing-subscriptions/contract.ts'
import { contract as token } from '../../functions/oauth-token/contract.ts'
import { errorBody } from '../../lib/http/answer/errorBody.ts'
import { oauthErrorBody } from '../../lib/http/answer/tokenErrors.ts'
import { auditEntryResource } from '../../lib/organizations/auditLogResource.ts'
import { auditActionNotes } from './auditActionNotes.ts'

const [bought, refused] = checkout.responses[201].def.element.def.options

const ofErrors = {
  detail: 'For people: a constant sentence',
  code: 'For programs: never changes',
  request_id: 'For support: also in the header `x-request-id`',
}

/** Explains members whose names are not enough. Kept here, so that no function's bundle carries these texts. */
export const fieldNotes: ReadonlyMap<unknown, Readonly<Record<string, string>>> = new Map<
  unknown,
  Record<string, string>
>([
  [errorBody, ofErrors],
  [oauthErrorBody, { ...ofErrors, error: 'As RFC 6749 §5.2 names it', error_description: 'The same as `detail`' }],
  [
    token.body,
    {
      client_secret: 'A public client omits it or sends an empty string',
      grant_type: '`authorization_code` or `refresh_token`; any other is `unsupported_grant_type`',
      redirect_uri: 'The `redirect_uri` of the authorization request, if it had one',
      code_verifier: 'For the `code_challenge` of the authorization request (RFC 7636)',
      scope: 'With a refresh token: at most the granted scope',
    },
  ],
  [
    checkout.body,
    {
      product_codes: 'Plan codes; an unknown plan code is refused in its own line',
      payment_method_id: 'A card that was set up with a setup intent; the organization’s default card if omitted',
      coupon_code: 'A promotion code, in any case, or a coupon’s id',
    },
  ],
  [bought.shape.subscription, { cancel_at: 'When it ends, if it was canceled', current_period_end: 'Paid until' }],
  [
    bought.shape.client,
    {
      action: '`confirm_payment`: finish the payment with Stripe.js and `client_secret`',
      client_secret: 'For the payment that waits for authentication',
    },
  ],
  [refused, { detail: 'A constant sentence; for a declined card, the general reason' }],
  [
    products.responses[200].shape.products.def.element.shape.price,
    { amount: 'In the currency’s smallest unit, for `interval_count` intervals', currency: 'ISO 4217, in lower case' },
  ],
  [
    preview.responses[200].shape.lines.def.element.def.options[0],
    {
      amount: 'The price before tax; all four amounts are in the currency’s smallest unit',
      discount: 'The reduction by the coupon, before tax',
      tax: 'Also of a price that includes it',
      total: 'The charge: `amount` minus `discount` plus `tax`',
    },
  ],
  [
    subscriptions.responses[200].shape.subscriptions.def.element,
    {
      cancel_at: 'When it ends, if it was canceled',
      current_period_end: 'Paid until',
      gateway: 'How it is paid: at once with a card, or by bank transfer against an invoice',
      action: 'The next step to offer to the user, if any',
    },
  ],
  [
    invoices.responses[200].shape.invoices.def.element,
    {
      number: '`null` if the gateway has assigned none',
      product: '`null` if the invoice is for something not sold here',
      amount_due: 'In the currency’s smallest unit, as is `amount_paid`',
    },
  ],
  [auditEntryResource, { action: `What was done. Values may be added.\n\n${auditActionNotes}` }],
  [cancel.body, { at_period_end: '`false` ends it at once. Also read from `1`, `"true"`, `"off"` and the like' }],
  [cancel.responses[200], { refunded: 'A payment that was not known when the request came went back; else left out' }],
  [
    entitlements.responses[200].shape.entitlements.def.element,
    { active: 'While the subscription is trialing, active or past_due', valid_until: 'The end of what is paid for' },
  ],
])
