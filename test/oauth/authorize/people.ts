import { randomUUID } from 'node:crypto'
import { userIdSchema } from '../../../lib/core/ids.ts'
import type { OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import type { AccountsStack } from '../../support/accountsStack.ts'
import { argon2idPasswords } from '../../support/argon2idPasswords.ts'
import { type Met, Visitor } from './visitor.ts'

export const REDIRECT_URI = 'https://console.example.com/oauth/callback'
export const SECRET = 'console-secret_4fJ8sKq2Lw9xTz7Rb1Vn'
export const VERIFIER = 'verifier-of-the-authorization-request~0123456789._AB'
export const PASSWORD = 'a password of this test’s own'

let passwordHash: Promise<string> | undefined

/** A user who can sign in with `PASSWORD`. */
export async function registerUser(
  { users, clock }: Pick<AccountsStack, 'users' | 'clock'>,
  { isActive = true, domain = 'example.com' } = {},
) {
  passwordHash ??= argon2idPasswords.hash(PASSWORD)
  const id = userIdSchema.parse(randomUUID())
  const username = `u-${id.slice(0, 8)}`
  const email = `${username}@${domain}`
  const flags = { isActive, isVerified: true, isSuperuser: false }
  await users.create({ id, email, username, createdAt: clock.now(), ...flags }, await passwordHash)
  return { id, email }
}

/** A client with one registered redirect URI. */
export async function registerClient({ clients }: Pick<AccountsStack, 'clients'>, change: Partial<OAuthClient> = {}) {
  const client: OAuthClient = {
    clientId: `client-${randomUUID()}`,
    type: 'confidential',
    name: 'Console',
    secretDigests: change.type === 'public' ? [] : [digestSecret(SECRET)],
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: [REDIRECT_URI],
    postLogoutRedirectUris: [],
    disabled: false,
    ...change,
  }
  await clients.put(client)
  return client
}

/** The query of a sound authorization request; a member that is empty is left out. */
export function queryOf(
  { clientId }: Pick<OAuthClient, 'clientId'>,
  change: Readonly<Record<string, string>> = {},
): string {
  const members = {
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: 'S256',
    state: 'state of the client',
    ...change,
  }
  return new URLSearchParams(Object.entries(members).filter(([, value]) => value !== '')).toString()
}

/** The token request for a code that such a request led to. */
export const exchangeOf = ({ clientId }: Pick<OAuthClient, 'clientId'>, code: string) => ({
  ...{ client_id: clientId, client_secret: SECRET, grant_type: 'authorization_code', code },
  ...{ redirect_uri: REDIRECT_URI, code_verifier: VERIFIER },
})

/** Opens the sign-in page of a request, and signs in; the answer to that. */
export async function signInAt(visitor: Visitor, query: string, email: string, password = PASSWORD): Promise<Met> {
  const page = await visitor.get(query)
  return visitor.submit(query, page, 'login', { fields: { email, password } })
}

/** A visitor who is signed in as a new user, and has been asked nothing yet. */
export async function signedInVisitor(stack: AccountsStack) {
  const [user, client] = await Promise.all([registerUser(stack), registerClient(stack)])
  const visitor = new Visitor(stack.baseUrl)
  const query = queryOf(client)
  await signInAt(visitor, query, user.email)
  return { visitor, user, client, query }
}

/** The members of a response that went to the client's redirect URI. */
export function responseIn({ status, location }: Met, redirectUri = REDIRECT_URI): Record<string, string> {
  if (status !== 303 || location === null || !location.startsWith(redirectUri)) {
    throw new Error(`no response to the client: ${status} ${location}`)
  }
  return Object.fromEntries(new URL(location).searchParams)
}
