import type { Row } from './row.ts'

/** Buying, canceling and what keeps the record in step with Stripe. What keeps money safe does not rest on the rate limits. */
export const billingRows = [
  {
    name: 'billing-checkout',
    operationId: 'createCheckout',
    summary: 'Buy a cart of products',
    note: `One line for each requested code, in the order requested, at every status but 401, 403, 413, 422, 429 and 404 for an organization.

- 201 where at least one line was bought, else the status of the first line's \`error\`: \`unknown_plan\` 404; \`already_subscribed\`, \`checkout_in_progress\` (with \`Retry-After\`), \`coupon_already_redeemed\` 409; \`coupon_invalid\` 400; \`payment_method_required\`, \`payment_method_invalid\`, \`card_declined\` 402; \`gateway_refused\` 502; \`gateway_unavailable\` 503.
- The same cart sent again never charges twice. While the outcome of a purchase is unknown, a request with the same card and coupon is 503, and one with another card or coupon is 409 and starts nothing beside it.
- \`confirm_payment\`: the card asks for authentication. Finish with Stripe.js and \`client_secret\`; until then the subscription is \`incomplete\`.
- A coupon goes to the first line, in cart order, that can use it; each later line is refused \`coupon_already_redeemed\` rather than sold at full price.`,
    trigger: { kind: 'http', method: 'POST', path: '/api/billing/checkout' },
    caller: 'billing admin',
    samples: { served: 'new-card', refused: 'no-token' },
    rateLimit: { requestsPerMinute: 20, failMode: 'open' },
    tables: {
      // The buyer's address, for a new customer.
      accounts: ['GetItem', 'UpdateItem'],
      billing: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      auditLog: ['PutItem'],
    },
    kms: { customer: ['Encrypt', 'Decrypt'] },
    secrets: ['stripeSecretKey'],
    timeoutSeconds: 28,
  },
  {
    name: 'billing-checkout-preview',
    operationId: 'previewCheckout',
    summary: 'Preview what a cart would be charged',
    note: `To the cent what \`POST /api/billing/checkout\` would charge now, by the gateway's own calculation, with the coupon and tax. No card is asked for; every payment is taken to succeed. Nothing is written or reserved.

- A line that checkout would refuse is refused here, with the same \`error\`; 200 also where every line is. A line with \`checkout_in_progress\` may be bought once that purchase is settled.
- \`total\` is the sum of the other lines. A credit balance that the gateway keeps for the organization is not subtracted.`,
    trigger: { kind: 'http', method: 'POST', path: '/api/billing/checkout/preview' },
    caller: 'billing admin',
    samples: { served: 'cart', refused: 'no-token' },
    rateLimit: { requestsPerMinute: 60, failMode: 'open' },
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem'] },
    kms: { customer: ['Decrypt'] },
    secrets: ['stripeSecretKey'],
  },
  {
    name: 'billing-setup-intent',
    operationId: 'createSetupIntent',
    summary: 'Create a setup intent for a card',
    note: `For Stripe.js: the card's data goes from the browser to the gateway, never through this service. The first card set up becomes the default.`,
    trigger: { kind: 'http', method: 'POST', path: '/api/billing/card-gateway/setup-intent' },
    caller: 'billing admin',
    samples: { served: 'new-customer', refused: 'no-token' },
    // Card testing: thieves try stolen cards where setup intents are plentiful.
    rateLimit: { requestsPerMinute: 10, failMode: 'open' },
    tables: { accounts: ['GetItem', 'UpdateItem'], billing: ['BatchGetItem', 'UpdateItem', 'ConditionCheckItem'] },
    kms: { customer: ['Encrypt', 'Decrypt'] },
    secrets: ['stripeSecretKey'],
    timeoutSeconds: 28,
  },
  {
    name: 'billing-cancel',
    operationId: 'cancelSubscription',
    summary: 'Cancel a subscription, at the end of its period or at once',
    note: `Sent again, it answers the same again. \`cancellation_scheduled\`: \`effective_at\` is the end of the paid period; \`canceled\`: when it ended. An \`incomplete\` subscription is canceled at once, unless it was paid in the meantime. A purchase whose outcome is unknown is looked up first: 404 where it surely was never made, 503 where that is not certain yet.`,
    trigger: { kind: 'http', method: 'POST', path: '/api/billing/cancel' },
    caller: 'billing admin',
    samples: { served: 'at-period-end', refused: 'no-token' },
    rateLimit: { requestsPerMinute: 20, failMode: 'open' },
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem', 'PutItem', 'DeleteItem'], auditLog: ['PutItem'] },
    // A purchase whose outcome is unknown is looked up in its customer's list.
    kms: { customer: ['Decrypt'] },
    secrets: ['stripeSecretKey'],
    timeoutSeconds: 28,
  },
  {
    name: 'billing-entitlements',
    operationId: 'listEntitlements',
    summary: 'List an organization’s entitlements',
    note: 'One for each product. `active` is true at the moment of the answer: from a scheduled end on it is false.',
    trigger: { kind: 'http', method: 'GET', path: '/api/billing/entitlements' },
    caller: 'member',
    samples: { served: 'member', refused: 'no-token' },
    rateLimit: { requestsPerMinute: 120, failMode: 'open' },
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem'] },
  },
  {
    name: 'billing-products',
    operationId: 'listProducts',
    summary: 'List the products on sale, with their prices',
    note: 'Of the gateway’s catalog, at most five minutes old. `amount` is in the currency’s smallest unit. A product without an active price is left out.',
    trigger: { kind: 'http', method: 'GET', path: '/api/billing/products' },
    caller: 'user',
    samples: { served: 'signed-in', refused: 'no-token' },
    rateLimit: { requestsPerMinute: 120, failMode: 'open' },
    tables: { accounts: ['UpdateItem'] },
    secrets: ['stripeSecretKey'],
  },
  {
    name: 'billing-subscriptions',
    operationId: 'listSubscriptions',
    summary: 'List an organization’s subscriptions',
    note: `One for each product that was ever bought, of the service's own record: readable while the gateway is unavailable. A purchase that was only ever declined is not listed.

- \`pending\` (action \`wait\`): a purchase is under way, or its outcome is not known yet; ask again, or send the same checkout again.
- \`confirm_payment\`: its open payment needs authentication (3-D Secure), also where it renews.
- \`update_payment_method\`: its open payment was declined, or is overdue.`,
    trigger: { kind: 'http', method: 'GET', path: '/api/billing/subscriptions' },
    caller: 'member',
    samples: { served: 'member', refused: 'no-token' },
    rateLimit: { requestsPerMinute: 120, failMode: 'open' },
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem'] },
  },
  {
    name: 'billing-invoices',
    operationId: 'listInvoices',
    summary: 'List an organization’s invoices, newest first',
    note: 'Of the gateway, without drafts. `hosted_invoice_url` and `invoice_pdf` open without signing in, and expire: read the list anew rather than keep them. `product` is `null` for an invoice of something that is not sold here.',
    trigger: { kind: 'http', method: 'GET', path: '/api/billing/invoices' },
    caller: 'billing admin',
    samples: { served: 'billing-admin', refused: 'no-token' },
    rateLimit: { requestsPerMinute: 60, failMode: 'open' },
    tables: { accounts: ['UpdateItem'], billing: ['BatchGetItem'] },
    kms: { customer: ['Decrypt'] },
    secrets: ['stripeSecretKey'],
  },
  {
    name: 'stripe-webhook',
    summary: 'Receive webhook events from Stripe',
    trigger: { kind: 'url' },
    caller: 'stripe',
    samples: { served: 'invoice-paid', refused: 'no-signature' },
    tables: {
      billing: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      auditLog: ['PutItem'],
    },
    indexes: ['customers'],
    secrets: ['stripeSecretKey', 'stripeWebhookSecrets'],
    timeoutSeconds: 28,
  },
  {
    name: 'billing-sweep',
    summary: 'Settle purchases that are still pending',
    trigger: { kind: 'schedule', every: 'minute' },
    caller: 'schedule',
    samples: { served: 'every-minute' },
    tables: { billing: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'], auditLog: ['PutItem'] },
    indexes: ['pending'],
    kms: { customer: ['Decrypt'] },
    secrets: ['stripeSecretKey'],
    timeoutSeconds: 120,
  },
  {
    name: 'billing-reconcile',
    summary: 'Compare every record with Stripe and repair the drift that a rule covers',
    trigger: { kind: 'schedule', every: '15 minutes' },
    caller: 'schedule',
    samples: { served: 'every-15-minutes' },
    tables: {
      billing: [
        'GetItem',
        'BatchGetItem',
        'Query',
        'Scan',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
      ],
      auditLog: ['PutItem'],
    },
    indexes: ['customers'],
    kms: { customer: ['Decrypt'] },
    secrets: ['stripeSecretKey'],
    timeoutSeconds: 900,
  },
] as const satisfies readonly Row[]
