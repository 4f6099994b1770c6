import { RECENT_SIGN_IN_SECONDS } from '../../lib/core/stepUp.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { carriesToken } from '../manifest.ts'
import { everywhere } from './headers.ts'
import type { HttpRow, Operation } from './operation.ts'

function inWords(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, meaning]) => `\`${name}\` (${meaning})`)
    .join(', ')
}

/** What applies to every operation; CommonMark. */
export const overview = `Accounts, sign-in and à-la-carte billing for a console.

- Access tokens come from \`POST /api/oauth/token\` and are sent as \`Authorization: Bearer\`; they expire after 15 minutes.
- The operator’s own clients act with all of their users’ rights. Other clients are granted scopes and may call only operations that name a scope. Any other call is 403 \`insufficient_scope\`; \`WWW-Authenticate\` names the required \`scope\`.
- Times are RFC 3339 in UTC with \`Z\`. Members without a value are \`null\`; token answers omit them. Clients must ignore unknown members, and take values that \`x-extensible-enum\` does not list: both may be added.
- A body is read as JSON if its content type is \`application/json\` or ends in \`+json\`. It may have up to 32 KiB. An unknown member is 422 \`extra_forbidden\`; OAuth endpoints ignore it.
- 422 lists every problem of a request. Every other error is \`{"detail": "<one constant sentence>", "code": "<stable_snake_case>", "request_id": "<id>"}\`: programs read \`code\`, people \`detail\`, support \`request_id\`. The OAuth endpoints add \`error\` and \`error_description\`; checkout answers its list. If API Gateway itself refuses a request (413 over 10 MB, 431, 429 for all callers together, 5xx), the body is \`{"message"}\` and the id is in \`apigw-requestid\`.
- Actions that cannot be undone require a sign-in within the last 10 minutes. If it is older, the answer is 401 \`insufficient_user_authentication\`: send the user to the authorization endpoint again with the \`max_age\` and \`acr_values\` of its \`WWW-Authenticate\` (RFC 9470). A refreshed token keeps the time of its first sign-in.
- The owners of an organization may set sign-in rules. Every request to the organization and its billing is held to them. If a new sign-in mends it, the answer is the same 401; if the user has no second factor yet, 403 \`second_factor_required\`; if the application may not act there, 403 \`client_not_allowed\`.
- Checks come in this order: 401, 403 \`insufficient_scope\`, 429, 413, 422, 404 (the same if the organization does not exist and if you are not a member), the sign-in rules of the organization, 403, then the operation’s own errors.
- An unknown path is 404 \`not_found\`. A known path with another method is 405 with \`Allow\`. HEAD works on every path that has GET.
- Pages of other origins may call every operation if their origin is that of a redirect or post-logout URI of an enabled client (30 seconds after its registration). They send an access token, never cookies. They may read \`ETag\`, \`Location\`, \`Retry-After\`, \`WWW-Authenticate\` and \`x-request-id\`, and such answers vary by \`Origin\`. Discovery, keys and this document are open to every page.
- Every answer carries ${inWords(everywhere)}. Other headers are listed with the answers that carry them. A billing request is safe to send again if its answer was 503 or was lost.`

/** The tag of an operation, by the first segment of its function's name. */
const tagByArea = {
  oauth: 'OAuth',
  openid: 'OAuth',
  auth: 'Accounts',
  account: 'Accounts',
  users: 'Accounts',
  organization: 'Organizations',
  organizations: 'Organizations',
  company: 'Organizations',
  webhook: 'Webhooks',
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
  { name: 'Organizations', description: 'Organizations, their members, invitations and domains' },
  { name: 'Webhooks', description: 'Endpoints of an organization, which hear its events' },
  { name: 'Billing', description: 'Products of an organization: buying, cards, canceling, entitlements' },
  { name: 'Documentation', description: 'This document' },
] as const

/** The tag of an operation. Throws Error if the function's area has no tag. */
export function tagOf({ name }: Pick<HttpRow, 'name'>): string {
  const area = Object.entries(tagByArea).find(([prefix]) => name === prefix || name.startsWith(`${prefix}-`))
  if (area === undefined) throw new Error(`no tag for ${name}: infra/openapi/prose.ts`)
  return area[1]
}

const callers: Partial<Record<HttpRow['caller'], string>> = {
  anyone: 'For anyone: no access token is needed.',
  client: 'For OAuth clients: with `client_id` and `client_secret` in the body, or a form and HTTP Basic.',
  user: 'For signed-in users.',
  member: 'For members of the organization.',
  'billing admin': 'For owners and billing admins of the organization.',
  owner: 'For owners of the organization.',
}

/** An operation's description: its callers and clients, the required age of the sign-in, and its note. */
export function descriptionOf(operation: Operation): string {
  const { row, contract } = operation
  const called = [callers[row.caller], clientsOf(operation)].join(' ').trim()
  return [called, recentSignInNote(contract.recentSignIn), row.note].filter(Boolean).join('\n\n')
}

function clientsOf({ row, contract: { scope } }: Operation): string {
  if (!carriesToken(row)) return ''
  if (scope === undefined) return 'Only from the operator’s own clients: no scope is enough for others.'
  return `Clients other than the operator’s own need the scope \`${scope}\`.`
}

function recentSignInNote(asked: Contract['recentSignIn']): string | undefined {
  if (asked === undefined) return undefined
  const member = asked === true ? undefined : `\`${asked.where}\``
  const value = asked === true || asked.is === undefined ? 'sent' : `\`${asked.is}\``
  const condition = member === undefined ? '' : ` if ${member} is ${value}`
  const who = asked !== true && asked.ofUsers ? ' An API client needs none.' : ''
  return `Requires a sign-in within the last ${RECENT_SIGN_IN_SECONDS / 60} minutes${condition}, with second factor if enabled: else 401 \`insufficient_user_authentication\` (RFC 9470).${who}`
}
