import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import * as z from 'zod/mini'
import type { Clock } from '../../core/clock.ts'
import type { RequestFault } from '../../core/requestFault.ts'
import type { EndpointUrlDeps } from '../../events/endpointUrl.ts'
import type { OpenIdClient, ProviderIdentity, ProviderRegistration } from '../../signIn/ports.ts'
import { createCheckedRequest } from '../outbound/checkedRequest.ts'

/** Milliseconds for a request to a provider: a browser waits for four of them at most. */
const BUDGET = 5000

/** Key sets of large providers have some 10 KB. */
const BODY_LIMIT = 256 * 1024

/** A difference of clocks, and the time that an id_token was on its way, in seconds. */
const TOLERANCE = 60

/** A person who has to sign in again has done so since, in seconds: the pages of a provider take time, and its clock may differ. */
const FRESH_SECONDS = 600

/** `OpenIdClient` on openid-client. Each request is a checked request; nothing is kept between calls. */
export function createOpenIdClient(
  deps: EndpointUrlDeps & { readonly clock: Clock },
  { budget = BUDGET } = {},
): OpenIdClient {
  const send = createCheckedRequest(deps, { budget, bodyLimit: BODY_LIMIT })

  const fetch: client.CustomFetch = async (url, { method, headers, body }) => {
    const text = body === undefined || body === null ? undefined : String(body)
    const answer = await send({ url, method, headers, body: text })
    if (answer.kind === 'not_answered') throw new UnreachableError(answer.fault)
    if (!answer.isWhole || answer.status < 200 || answer.status >= 500) throw new UnreachableError('bad_answer')
    const type = answer.headers['content-type']
    return new Response(answer.status === 204 ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }

  /**
   * The provider as its metadata describes it. Only if the metadata names the very issuer: openid-client takes another for some providers,
   * whose issuer would then speak for the customers of all.
   */
  async function configure({
    issuer,
    clientId,
    clientSecret = '',
  }: Partial<ProviderRegistration> & Pick<ProviderRegistration, 'issuer' | 'clientId'>): Promise<client.Configuration> {
    const execute = deps.destinations === 'public_or_loopback' ? [client.allowInsecureRequests] : []
    const options = { [client.customFetch]: fetch, execute }
    const found = (await client.discovery(new URL(issuer), clientId, undefined, undefined, options)).serverMetadata()
    if (found.issuer !== issuer) throw new UnreachableError('bad_answer')
    // Discovery 1.0 §3: basic if the metadata does not say.
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = found
    const isBasic = methods.includes('client_secret_basic')
    const authenticate = isBasic ? client.ClientSecretBasic : client.ClientSecretPost
    // Only a client with a secret asks for tokens.
    const authentication = clientSecret === '' ? client.None() : authenticate(clientSecret)
    const skew = Math.round((deps.clock.now() - Date.now()) / 1000)
    const metadata = { [client.clockSkew]: skew, [client.clockTolerance]: TOLERANCE }
    const configuration = new client.Configuration(found, clientId, metadata, authentication)
    configuration[client.customFetch] = fetch
    for (const extend of [...execute, client.enableNonRepudiationChecks]) extend(configuration)
    return configuration
  }

  async function keysOf(provider: Pick<ProviderRegistration, 'issuer' | 'clientId'>) {
    const { jwks_uri: url } = (await configure(provider)).serverMetadata()
    if (url === undefined) throw new UnreachableError('bad_answer')
    const answer = await fetch(url, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' })
    const { data } = keySetSchema.safeParse(await answer.json())
    if (data === undefined) throw new UnreachableError('bad_answer')
    return createLocalJWKSet(data as JSONWebKeySet)
  }

  return {
    async discover(issuer) {
      try {
        await configure({ issuer, clientId: 'unknown' })
        return { kind: 'found' }
      } catch (error) {
        return { kind: 'refused', fault: faultOf(error) }
      }
    },

    async authorizationUrl(provider, { redirectUri, isFresh, loginHint, ...secrets }) {
      try {
        const url = client.buildAuthorizationUrl(await configure(provider), {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
          code_challenge_method: 'S256',
          ...(isFresh && { prompt: 'login', max_age: '0' }),
          ...(loginHint !== undefined && { login_hint: loginHint }),
        })
        return { kind: 'leads_to', url: url.href }
      } catch (error) {
        return { kind: 'unreachable', fault: faultOf(error) }
      }
    },

    async exchange(provider, { callback, state, nonce, codeVerifier, isFresh }) {
      try {
        const configuration = await configure(provider)
        const tokens = await client.authorizationCodeGrant(configuration, new URL(callback), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
          ...(isFresh && { maxAge: FRESH_SECONDS }),
        })
        return { kind: 'proven', identity: toIdentity(await withProfile(configuration, tokens)) }
      } catch (error) {
        if (error instanceof client.AuthorizationResponseError)
          return { kind: 'refused', fault: 'denied', reason: 'error_answer' }
        const cause = unreachableIn(error)
        if (cause) return { kind: 'refused', fault: 'unreachable', reason: cause.fault }
        return { kind: 'refused', fault: 'answer_refused', reason: codeOf(error) }
      }
    },

    async readLogout({ issuer, clientId }, token) {
      try {
        if (decodeJwt(token).iss !== issuer) return { kind: 'refused', fault: 'answer_refused', reason: 'other_issuer' }
        const { payload } = await jwtVerify(token, await keysOf({ issuer, clientId }), {
          ...{ issuer, audience: clientId, algorithms: [...LOGOUT_ALGORITHMS] },
          ...{ currentDate: new Date(deps.clock.now()), clockTolerance: TOLERANCE, maxTokenAge: LOGOUT_TOKEN_SECONDS },
        })
        const { jti: tokenId, sub: subject, sid: sessionId } = logoutSchema.parse(payload)
        return { kind: 'proven', logout: { tokenId, subject, sessionId } }
      } catch (error) {
        const cause = unreachableIn(error)
        if (cause) return { kind: 'refused', fault: 'unreachable', reason: cause.fault }
        return { kind: 'refused', fault: 'answer_refused', reason: codeOf(error) }
      }
    },
  }
}

/**
 * The claims of the id_token. If the address is not among them, it and the names are UserInfo's: a provider need not repeat them in the id_token
 * (OpenID Connect Core 1.0 §5.4). openid-client takes UserInfo only of the same subject.
 */
async function withProfile(
  configuration: client.Configuration,
  tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>,
): Promise<object> {
  const claims = { sub: '', ...tokens.claims() }
  if ('email' in claims || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
  const info = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  const { email, email_verified, preferred_username, name } = info
  return { preferred_username, name, ...claims, email, email_verified }
}

/** A member of another type counts as missing. */
function optional<Value>(schema: z.ZodMiniType<Value>) {
  return z.pipe(
    z.optional(z.unknown()),
    z.transform((value): Value | undefined => schema.safeParse(value).data),
  )
}

/** What is read of an id_token. */
const claimsSchema = z.object({
  iss: z.string(),
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  email: optional(z.string().check(z.maxLength(254))),
  email_verified: optional(z.boolean()),
  preferred_username: optional(z.string()),
  name: optional(z.string()),
  auth_time: optional(z.number()),
  amr: optional(z.array(z.string())),
  sid: optional(z.string()),
})

/** How old a logout token may be, in seconds: providers repeat a request that failed. */
export const LOGOUT_TOKEN_SECONDS = 600

const LOGOUT_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** A nonce would make an id_token of it. */
const logoutSchema = z
  .object({
    jti: z.string().check(z.minLength(1), z.maxLength(255)),
    sub: z.optional(z.string().check(z.minLength(1), z.maxLength(255))),
    sid: z.optional(z.string().check(z.minLength(1))),
    events: z.object({ [LOGOUT_EVENT]: z.looseObject({}) }),
    nonce: z.optional(z.never()),
  })
  .check(z.refine(({ sub, sid }) => sub !== undefined || sid !== undefined))

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

function toIdentity(claims: unknown): ProviderIdentity {
  const { iss, sub, email, email_verified, preferred_username, name, auth_time, amr, sid } = claimsSchema.parse(claims)
  return {
    issuer: iss,
    subject: sub,
    email,
    isEmailVerified: email_verified === true,
    name: preferred_username ?? name,
    signedInAt: auth_time === undefined ? undefined : auth_time * 1000,
    hasTwoFactors: amr?.includes('mfa') ?? false,
    sessionId: sid,
  }
}

/** The provider gave no answer that could be read. */
class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly fault: RequestFault

  constructor(fault: RequestFault) {
    super(fault)
    this.fault = fault
  }
}

/** The library wraps errors of a request in its own. */
function unreachableIn(error: unknown): UnreachableError | undefined {
  if (error instanceof UnreachableError) return error
  return error instanceof Error && error.cause !== undefined ? unreachableIn(error.cause) : undefined
}

function faultOf(error: unknown): RequestFault {
  return unreachableIn(error)?.fault ?? 'bad_answer'
}

const withCode = z.object({ code: z.string() })

/** For the log: a code of the library, never a text of the provider. */
function codeOf(error: unknown): string {
  return withCode.safeParse(error).data?.code ?? 'unexpected'
}
