import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import * as z from 'zod'
import type { EmulatedPerson } from './people.ts'
import { personPage } from './personPage.ts'

/** What a test makes wrong in an id_token, or in the provider's other answers. */
export interface Tampering {
  readonly claims?: (claims: JWTPayload) => JWTPayload
  /** Of the answer at `/userinfo`. */
  readonly userInfo?: (claims: JWTPayload) => JWTPayload
  /** Signs by a key that the key set does not have, under the id of one that it has. */
  readonly foreignKey?: boolean
  readonly metadata?: (metadata: Record<string, unknown>) => Record<string, unknown>
  /** Adds to the parameters of the answer in the browser's address. */
  readonly answer?: (parameters: Record<string, string>) => Record<string, string>
}

export interface EmulatorOptions {
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  readonly people: readonly EmulatedPerson[]
  /** Unix milliseconds, by the clock of the service. */
  readonly now: () => number
  /** Where it is reached. */
  readonly issuer: string
}

/** A request to the provider; `path` is after the issuer, with its query. */
export interface EmulatedRequest {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: string
}

export interface EmulatedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An OpenID provider of one client: the reader of its page chooses who to be. */
export interface EmulatedProvider {
  readonly issuer: string
  handle(request: EmulatedRequest): Promise<EmulatedAnswer>
  /** Applies from the next request on. */
  tamper(tampering: Tampering): void
  /** A logout token for a person (OpenID Connect Back-Channel Logout 1.0 §2.4); `change` makes it wrong. */
  logoutToken(subject: string, change?: (claims: JWTPayload) => JWTPayload): Promise<string>
}

const authorizationRequest = z.object({
  client_id: z.string(),
  redirect_uri: z.url(),
  response_type: z.literal('code'),
  scope: z.string().regex(/\bopenid\b/),
  state: z.string(),
  nonce: z.string(),
  code_challenge: z.string(),
  code_challenge_method: z.literal('S256'),
})

const tokenRequest = z.object({
  grant_type: z.literal('authorization_code'),
  code: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string(),
})

type AuthorizationRequest = z.infer<typeof authorizationRequest>

const SECONDS_OF_A_TOKEN = 300

/** Creates a provider. It speaks OpenID Connect as far as a client of the code flow with PKCE asks for it. */
export async function createEmulatedProvider({
  client,
  people,
  now,
  issuer,
}: EmulatorOptions): Promise<EmulatedProvider> {
  const [key, foreign] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
  const jwk = { ...(await exportJWK(key.publicKey)), alg: 'ES256', use: 'sig' }
  const kid = await calculateJwkThumbprint(jwk)
  const codes = new Map<string, { request: AuthorizationRequest; person: EmulatedPerson; at: number }>()
  const tokens = new Map<string, EmulatedPerson>()
  let tampering: Tampering = {}

  const metadata = () => {
    const own = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
    }
    return tampering.metadata?.(own) ?? own
  }

  /** The page on which a person is chosen; with `person` in the query, the redirect back to the client. */
  function authorize(query: URLSearchParams): EmulatedAnswer {
    const { data: request } = authorizationRequest.safeParse(Object.fromEntries(query))
    if (request === undefined || request.client_id !== client.clientId) return refusal(400, 'invalid_request')
    const chosen = query.get('person')
    if (chosen === null) {
      const headers = { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer' }
      return { status: 200, headers, body: personPage(people, query) }
    }
    const person = people.find(({ subject }) => subject === chosen)
    const code = randomBytes(24).toString('base64url')
    if (person) codes.set(code, { request, person, at: now() })
    const answer = { ...(person ? { code } : { error: 'access_denied' }), state: request.state, iss: issuer }
    const location = new URL(request.redirect_uri)
    for (const [name, value] of Object.entries(tampering.answer?.(answer) ?? answer))
      location.searchParams.set(name, value)
    return { status: 303, headers: { location: location.href }, body: '' }
  }

  async function token({ authorization, body }: EmulatedRequest): Promise<EmulatedAnswer> {
    if (!isFrom(client, authorization)) return refusal(401, 'invalid_client')
    const { data: sent } = tokenRequest.safeParse(Object.fromEntries(new URLSearchParams(body)))
    const granted = sent && codes.get(sent.code)
    if (sent === undefined || granted === undefined) return refusal(400, 'invalid_grant')
    codes.delete(sent.code)
    const { request, person, at } = granted
    const challenge = createHash('sha256').update(sent.code_verifier).digest('base64url')
    if (challenge !== request.code_challenge || sent.redirect_uri !== request.redirect_uri)
      return refusal(400, 'invalid_grant')
    const seconds = Math.floor(now() / 1000)
    const claims: JWTPayload = {
      ...{ iss: issuer, sub: person.subject, aud: client.clientId, nonce: request.nonce },
      ...{ iat: seconds, exp: seconds + SECONDS_OF_A_TOKEN, auth_time: Math.floor(at / 1000) },
      // Each sign-in is a session of its own.
      sid: randomUUID(),
      ...profileOf(person),
      ...(person.hasTwoFactors && { amr: ['pwd', 'mfa'] }),
    }
    const idToken = await new SignJWT(tampering.claims?.(claims) ?? claims)
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign((tampering.foreignKey ? foreign : key).privateKey)
    const accessToken = randomBytes(24).toString('base64url')
    tokens.set(accessToken, person)
    return json(200, { access_token: accessToken, token_type: 'Bearer', id_token: idToken })
  }

  function userInfo(authorization = ''): EmulatedAnswer {
    const person = tokens.get(authorization.replace(/^Bearer /, ''))
    if (person === undefined) return refusal(401, 'invalid_token')
    const claims = { sub: person.subject, ...profileOf(person) }
    return json(200, tampering.userInfo?.(claims) ?? claims)
  }

  function logoutToken(subject: string, change = (claims: JWTPayload) => claims): Promise<string> {
    const seconds = Math.floor(now() / 1000)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const times = { iat: seconds, exp: seconds + SECONDS_OF_A_TOKEN }
    const claims = {
      iss: issuer,
      aud: client.clientId,
      ...times,
      jti: randomBytes(16).toString('hex'),
      events,
      sub: subject,
    }
    return new SignJWT(change(claims))
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'logout+jwt' })
      .sign((tampering.foreignKey ? foreign : key).privateKey)
  }

  /** The token that the provider would send, for a developer to send it. `sub` and `aud` name its person and its client. */
  async function logoutAnswer(query: URLSearchParams): Promise<EmulatedAnswer> {
    const aud = query.get('aud') ?? client.clientId
    const body = await logoutToken(query.get('sub') ?? '', (claims) => ({ ...claims, aud }))
    return { status: 200, headers: { 'content-type': 'text/plain' }, body }
  }

  return {
    issuer,
    async handle(request) {
      const { pathname, searchParams } = new URL(request.path, 'http://provider.invalid')
      if (pathname === '/.well-known/openid-configuration') return json(200, metadata())
      if (pathname === '/jwks') return json(200, { keys: [{ ...jwk, kid }] })
      if (pathname === '/authorize') return authorize(searchParams)
      if (pathname === '/userinfo') return userInfo(request.authorization)
      if (pathname === '/logout-token') return logoutAnswer(searchParams)
      return pathname === '/token' ? token(request) : refusal(404, 'not_found')
    },
    tamper(change) {
      tampering = change
    },
    logoutToken,
  }
}

function profileOf({ email, isEmailVerified, name }: EmulatedPerson): JWTPayload {
  return { email, email_verified: isEmailVerified, name }
}

function json(status: number, body: unknown): EmulatedAnswer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function refusal(status: number, error: string): EmulatedAnswer {
  return json(status, { error })
}

/** RFC 6749 §2.3.1: both parts are form-encoded, and clients differ in which characters they encode. */
function isFrom({ clientId, clientSecret }: EmulatorOptions['client'], authorization = ''): boolean {
  const sent = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString('utf8')
  const parts = sent.split(':').map((part) => new URLSearchParams(`part=${part}`).get('part'))
  return parts.length === 2 && parts[0] === clientId && parts[1] === clientSecret
}
