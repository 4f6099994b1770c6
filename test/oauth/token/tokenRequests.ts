import * as z from 'zod'
import { byPassword } from '../../../lib/core/authentication.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { type AuthorizationGrant, issueAuthorizationCode } from '../../../lib/oauth/authorize/issueAuthorizationCode.ts'
import type { GrantType } from '../../../lib/oauth/oauthClient.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import type { AccountsStack } from '../../support/accountsStack.ts'

export const REDIRECT_URI = 'https://console.example.com/oauth/callback'
export const POST_LOGOUT_REDIRECT_URI = 'https://console.example.com/signed-out'
export const SECRET = 'console-secret_4fJ8sKq2Lw9xTz7Rb1Vn'
export const VERIFIER = 'verifier-of-the-authorization-request~0123456789._AB'

interface TokenAnswer {
  status: number
  headers: Headers
  body: unknown
}

/** Sends one token request, as JSON, as a form, or as a form with HTTP Basic. */
export async function requestToken(
  { baseUrl }: AccountsStack,
  fields: Record<string, string>,
  as: 'json' | 'form' | 'basic' = 'form',
): Promise<TokenAnswer> {
  const { client_id = '', client_secret = '', ...rest } = fields
  const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
  const response = await fetch(`${baseUrl}/api/oauth/token`, {
    method: 'POST',
    headers: {
      'content-type': as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(as === 'basic' && { authorization: basic }),
    },
    body: as === 'json' ? JSON.stringify(fields) : new URLSearchParams(as === 'basic' ? rest : fields).toString(),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Registers a client, the operator's own where not said otherwise, with the given grants, and a user; returns the credentials of both. */
export async function register(
  { clients, users, ids, clock }: AccountsStack,
  options: { grantTypes?: GrantType[]; isActive?: boolean; isPublic?: boolean; firstParty?: boolean } = {},
) {
  const {
    grantTypes = ['authorization_code', 'refresh_token'],
    isActive = true,
    isPublic = false,
    firstParty = true,
  } = options
  const clientId = `client-${ids.uuid()}`
  const userId = userIdSchema.parse(ids.uuid())
  await clients.put({
    clientId,
    type: isPublic ? 'public' : 'confidential',
    name: 'A console',
    secretDigests: isPublic ? [] : [digestSecret(SECRET)],
    grantTypes,
    redirectUris: [REDIRECT_URI],
    postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI],
    disabled: false,
    firstParty,
  })
  const username = `u-${userId.slice(0, 8)}`
  const createdAt = clock.now()
  const flags = { isActive, isVerified: true, isSuperuser: false }
  await users.create({ id: userId, email: `${username}@example.com`, username, createdAt, ...flags })
  return { userId, credentials: { client_id: clientId, client_secret: isPublic ? '' : SECRET } }
}

export type Registered = Awaited<ReturnType<typeof register>>

/** A code as the authorization endpoint would issue it, and the request that exchanges it. */
export async function issueCode(
  stack: AccountsStack,
  { userId, credentials }: Registered,
  grant: Partial<AuthorizationGrant> = {},
) {
  const { securityRev = 0 } = (await stack.accounts.find(userId)) ?? {}
  const code = await issueAuthorizationCode(stack, {
    clientId: credentials.client_id,
    userId,
    securityRev,
    authentication: { at: stack.clock.now(), methods: byPassword },
    redirectUri: REDIRECT_URI,
    ...grant,
  })
  return { ...credentials, grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI }
}

const tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().default(''),
  id_token: z.string().default(''),
  scope: z.string().optional(),
})

/** The tokens in an answer that must be 200. */
export function tokensIn({ status, body }: TokenAnswer): z.infer<typeof tokens> {
  if (status !== 200) throw new Error(`no tokens: ${status} ${JSON.stringify(body)}`)
  return tokens.parse(body)
}

/** A fresh sign-in: the request that refreshes its tokens, and the tokens. */
export async function signIn(stack: AccountsStack, registered: Registered, grant: Partial<AuthorizationGrant> = {}) {
  const issued = tokensIn(await requestToken(stack, await issueCode(stack, registered, grant)))
  const refresh = { ...registered.credentials, grant_type: 'refresh_token', refresh_token: issued.refresh_token }
  return { refresh, tokens: issued }
}

/** What `toMatchObject` finds in a refusal. */
export const refusal = (error: string) => ({ status: error === 'invalid_client' ? 401 : 400, body: { error } })
