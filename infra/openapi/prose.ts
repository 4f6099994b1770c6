import type { HttpRow } from './operation.ts'

/** What holds for every operation; CommonMark. */
export const overview = `Accounts, sign-in and à-la-carte billing for a console.

- Access tokens come from \`POST /api/oauth/token\` and are sent as \`Authorization: Bearer\`; they live 15 minutes.
- Times are RFC 3339 in UTC with \`Z\`. Members that have no value are \`null\`; in token answers they are left out. Clients ignore members they do not know.
- JSON is read where the content type is \`application/json\` or ends in \`+json\`. Bodies have at most 32 KiB.
- 422 lists every problem of a request. Every other refusal is \`{"detail": "<one constant sentence>"}\`; clients of the OAuth endpoints also get \`error\` and \`error_description\`; checkout answers its list.
- Checks come in this order: 401, 429, 413, 422, 404 (an organization that does not exist, or is not yours: the same answer), 403, then what the operation itself finds.
- An unknown path is 404 \`{"detail":"Not Found"}\`; a known one with another method is 405 with \`Allow\`.
- Every answer carries \`Cache-Control: no-store\`. 429 and 503 carry \`Retry-After\`. A billing request that was answered 503, or not at all, is safe to send again.`

/** Where an operation stands in the document, by the first segment of its function's name. */
const tagByArea = {
  oauth: 'OAuth',
  openid: 'OAuth',
  auth: 'Accounts',
  account: 'Accounts',
  users: 'Accounts',
  organizations: 'Organizations',
  billing: 'Billing',
  openapi: 'Documentation',
} as const

/** The document's tags, in its order. */
export const tags = [
  {
    name: 'OAuth',
    description: 'Sign-in for clients: codes, tokens, discovery (RFC 6749, 7009, 7636, 7662, 8414, 9207)',
  },
  { name: 'Accounts', description: 'A user’s own account' },
  { name: 'Organizations', description: 'Organizations, their members and invitations' },
  { name: 'Billing', description: 'Products of an organization: buying, cards, cancelling, entitlements' },
  { name: 'Documentation', description: 'This document' },
] as const

/** The tag of an operation. Fails for a function of an area that has none yet. */
export function tagOf({ name }: Pick<HttpRow, 'name'>): string {
  const area = Object.entries(tagByArea).find(([prefix]) => name === prefix || name.startsWith(`${prefix}-`))
  if (area === undefined) throw new Error(`no tag for ${name}: infra/openapi/prose.ts`)
  return area[1]
}

const callers: Partial<Record<HttpRow['caller'], string>> = {
  client: 'For OAuth clients: with `client_id` and `client_secret` in the body, or a form and HTTP Basic.',
  user: 'For signed-in users.',
  member: 'For members of the organization.',
  'billing admin': 'For owners and billing admins of the organization.',
  owner: 'For owners of the organization.',
}

/** What a caller should know of an operation and no schema says. */
const notes: Readonly<Record<string, string>> = {
  'oauth-token': `Grants: \`authorization_code\` and \`refresh_token\`. A code lives 60 s and is good once; a second use revokes what the first one issued. Refresh tokens rotate, and a rotated one used again revokes the whole family; they live 30 days in all. In a form, a missing or repeated field is 400 \`invalid_request\`.`,
  'oauth-authorize':
    'PKCE with S256 is required of every client. 303 leads to `redirect_uri` with `code` or `error`, and with `state` and `iss` (RFC 9207); where that address cannot be trusted, 400 is a page.',
  'oauth-authorize-submit': 'For the forms of the page of `GET`, sent to the address of that page, query included.',
  'oauth-logout-submit': 'For the form of the page of `GET`, sent to the address of that page, query included.',
  'auth-register': 'The answer is the same whether or not the address has an account: the mail says which.',
  'users-me-update': `\`{}\` changes nothing. Email and password have operations of their own: here they are refused, as every unknown field is.`,
  'billing-checkout': `One line for each requested code, in the order requested, at every status but 401, 403, 413, 422, 429 and 404 for an organization.

- 201 where at least one line was bought, else the status of the first line's \`error\`: \`unknown_plan\` 404; \`already_subscribed\`, \`checkout_in_progress\` (with \`Retry-After\`), \`coupon_already_redeemed\` 409; \`coupon_invalid\` 400; \`payment_method_required\`, \`payment_method_invalid\`, \`card_declined\` 402; \`gateway_refused\` 502; \`gateway_unavailable\` 503.
- The same cart sent again never charges twice.
- \`confirm_payment\`: the card asks for authentication. Finish with Stripe.js and \`client_secret\`; until then the subscription is \`incomplete\`.
- A coupon goes to the first line, in cart order, that can use it; each later line is refused \`coupon_already_redeemed\` rather than sold at full price.`,
  'billing-setup-intent': `For Stripe.js: the card's data goes from the browser to the gateway, never through this service. The first card set up becomes the default.`,
  'billing-cancel': `Sent again, it answers the same again. \`cancellation_scheduled\`: \`effective_at\` is the end of the paid period; \`canceled\`: when it ended. An \`incomplete\` subscription is cancelled at once.`,
  'billing-entitlements': 'One for each product.',
}

/** An operation's description: who calls it and what there is to know. */
export function descriptionOf({ name, caller }: Pick<HttpRow, 'name' | 'caller'>): string {
  return [callers[caller], notes[name]].filter((text) => text !== undefined).join('\n\n')
}

/** What path and query parameters mean, by name. */
export const parameterNotes: Readonly<Record<string, string>> = {
  organization_id: 'The organization that is acted on',
  user_id: 'The member that is acted on',
  invitation_id: 'The `id` of an invitation in the list of members',
}
