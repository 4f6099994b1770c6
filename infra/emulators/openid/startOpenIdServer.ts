import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import * as z from 'zod'
import { listenOnLoopback } from '../../listenOnLoopback.ts'
import type { EmulatedPerson } from './people.ts'
import { personPage } from './personPage.ts'

/** What a test makes wrong in an id_token, or in the provider's other answers. */
export interface Tampering {
  readonly claims?: (claims: JWTPayload) => JWTPayload
  /** Signs by a key that the key set does not have, under the id of one that it has. */
  readonly foreignKey?: boolean
  readonly metadata?: (metadata: Record<string, unknown>) => Record<string, unknown>
  /** Adds to the parameters of the answer in the browser's address. */
  readonly answer?: (parameters: Record<string, string>) => Record<string, string>
}

interface Options {
  readonly port?: number
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  readonly people: readonly EmulatedPerson[]
  /** Unix milliseconds, by the clock of the service. */
  readonly now: () => number
}

/** An OpenID provider of one client on a loopback address: whoever opens its page chooses who to be. */
export interface EmulatedProvider {
  readonly issuer: string
  /** Applies from the next request on. */
  tamper(tampering: Tampering): void
  close(): Promise<void>
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

/** Starts a provider. It speaks OpenID Connect as far as a client of the code flow with PKCE asks for it. */
export async function startOpenIdServer({ port, client, people, now }: Options): Promise<EmulatedProvider> {
  const [key, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(key.publicKey)), alg: 'RS256', use: 'sig' }
  const kid = await calculateJwkThumbprint(jwk)
  const codes = new Map<string, { request: AuthorizationRequest; person: EmulatedPerson; at: number }>()
  let tampering: Tampering = {}

  const metadata = () => {
    const own = {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
    }
    return tampering.metadata?.(own) ?? own
  }

  /** The page on which a person is chosen; with `person` in the query, the redirect back to the client. */
  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const { data: request } = authorizationRequest.safeParse(Object.fromEntries(query))
    if (request === undefined || request.client_id !== client.clientId) {
      refuse(response, 400, 'invalid_request')
      return
    }
    const chosen = query.get('person')
    if (chosen === null) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(personPage(people, query))
      return
    }
    const person = people.find(({ subject }) => subject === chosen)
    const code = randomBytes(24).toString('base64url')
    if (person) codes.set(code, { request, person, at: now() })
    const answer = { ...(person ? { code } : { error: 'access_denied' }), state: request.state, iss: origin }
    const location = new URL(request.redirect_uri)
    for (const [name, value] of Object.entries(tampering.answer?.(answer) ?? answer))
      location.searchParams.set(name, value)
    response.writeHead(303, { location: location.href }).end()
  }

  async function token(message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (message.headers.authorization !== basicOf(client)) return refuse(response, 401, 'invalid_client')
    const { data: sent } = tokenRequest.safeParse(Object.fromEntries(new URLSearchParams(await text(message))))
    const granted = sent && codes.get(sent.code)
    if (sent === undefined || granted === undefined) return refuse(response, 400, 'invalid_grant')
    codes.delete(sent.code)
    const { request, person, at } = granted
    const challenge = createHash('sha256').update(sent.code_verifier).digest('base64url')
    if (challenge !== request.code_challenge || sent.redirect_uri !== request.redirect_uri)
      return refuse(response, 400, 'invalid_grant')
    const seconds = Math.floor(now() / 1000)
    const claims: JWTPayload = {
      ...{ iss: origin, sub: person.subject, aud: client.clientId, nonce: request.nonce },
      ...{ iat: seconds, exp: seconds + SECONDS_OF_A_TOKEN, auth_time: Math.floor(at / 1000) },
      ...{ email: person.email, email_verified: person.isEmailVerified, name: person.name },
      ...(person.hasTwoFactors && { amr: ['pwd', 'mfa'] }),
    }
    const idToken = await new SignJWT(tampering.claims?.(claims) ?? claims)
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign((tampering.foreignKey ? foreign : key).privateKey)
    const answer = { access_token: randomBytes(24).toString('base64url'), token_type: 'Bearer', id_token: idToken }
    json(response, 200, answer)
  }

  const server = createServer(async (message, response) => {
    const { pathname, searchParams } = new URL(message.url ?? '/', origin)
    if (pathname === '/.well-known/openid-configuration') return json(response, 200, metadata())
    if (pathname === '/jwks') return json(response, 200, { keys: [{ ...jwk, kid }] })
    if (pathname === '/authorize') return authorize(searchParams, response)
    if (pathname === '/token') return token(message, response)
    refuse(response, 404, 'not_found')
  })
  const { url, close } = await listenOnLoopback(server, port)
  const origin = url
  return {
    issuer: origin,
    tamper: (change) => {
      tampering = change
    },
    close,
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, status: number, error: string): void {
  json(response, status, { error })
}

/** RFC 6749 §2.3.1: both parts are form-encoded first. */
function basicOf({ clientId, clientSecret }: Options['client']): string {
  const encoded = [clientId, clientSecret].map((part) => new URLSearchParams([['', part]]).toString().slice(1))
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
}
