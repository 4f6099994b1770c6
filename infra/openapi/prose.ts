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
- The operator’s own clients act with all of their users’ rights. Other clients are granted scopes, and call only the operations that name one: others are 403 \`insufficient_scope\`, and \`WWW-Authenticate\` says which \`scope\` is wanted.
- Times are RFC 3339 in UTC with \`Z\`. Members that have no value are \`null\`; in token answers they are left out. Clients ignore members they do not know.
- JSON is read where the content type is \`application/json\` or ends in \`+json\`. Bodies have at most 32 KiB. A member that is not listed is 422 \`extra_forbidden\`; OAuth endpoints ignore it.
- 422 lists every problem of a request. Every other error is \`{"detail": "<one constant sentence>", "code": "<stable_snake_case>", "request_id": "<id>"}\`: programs read \`code\`, people \`detail\`, support \`request_id\`. The OAuth endpoints add \`error\` and \`error_description\`; checkout answers its list. What API Gateway refuses by itself (413 over 10 MB, 431, 429 for all callers together, 5xx) is \`{"message"}\`, with the id in \`apigw-requestid\`.
- What cannot be undone asks for a sign-in of the last 10 minutes: 401 \`insufficient_user_authentication\`, whose \`WWW-Authenticate\` says with which \`max_age\` and \`acr_values\` to send the user to the authorization endpoint again (RFC 9470). A refreshed token has the time of its first sign-in.
- Checks come in this order: 401, 403 \`insufficient_scope\`, 429, 413, 422, 404 (an organization that does not exist, or is not yours: the same answer), 403, then what the operation itself finds.
- An unknown path is 404 \`not_found\`; a known one with another method is 405 with \`Allow\`. HEAD works where GET does.
- A page of another origin may call every operation, from the origin of a redirect or post-logout URI of any enabled client (30 seconds after it was registered): with its access token, never with cookies. It may read \`ETag\`, \`Location\`, \`Retry-After\`, \`WWW-Authenticate\` and \`x-request-id\`, and such answers vary by \`Origin\`. Discovery, keys and this document are open to every page.
- Every answer carries ${inWords(everywhere)}. Other headers are listed at the answers that carry them. A billing request that was answered 503, or not at all, is safe to send again.`

/** The tag of an operation, by the first segment of its function's name. */
const tagByArea = {
  oauth: 'OAuth',
  openid: 'OAuth',
  auth: 'Accounts',
  account: 'Accounts',
  users: 'Accounts',
  organization: 'Organizations',
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
  { name: 'Billing', description: 'Products of an organization: buying, cards, canceling, entitlements' },
  { name: 'Documentation', description: 'This document' },
] as const

/** The tag of an operation. Throws Error for a function of an area that has none. */
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

/** An operation's description: who may call it, from which clients, how recently its user has to have signed in, and its note. */
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
  const where = member === undefined ? '' : ` where ${member} is ${value}`
  return `Asks for a sign-in of the last ${RECENT_SIGN_IN_SECONDS / 60} minutes${where}, with the second factor where the account has one: else 401 \`insufficient_user_authentication\` (RFC 9470).`
}

/** What path and query parameters mean, by name. */
export const parameterNotes: Readonly<Record<string, string>> = {
  organization_id: 'The organization that is acted on',
  user_id: 'The member that is acted on',
  invitation_id: 'The `id` of an invitation in the list of members',
  'Idempotency-Key':
    'Of the caller’s choosing, printable ASCII: for 24 hours a request with the same key and body gets the answer of the first one that succeeded, and one with another body 422. Keys are each user’s own, for each operation and organization',
}
