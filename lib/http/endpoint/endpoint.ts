import { CommonError } from '../../core/errors.ts'
import {
  type AnyIdentity,
  type ApiClientIdentity,
  type Identity,
  isApiClient,
  isServiceClient,
  principalIdOf,
} from '../../core/identity.ts'
import type { Language } from '../../core/language.ts'
import type { RateLimit } from '../../core/rateLimits.ts'
import { type ResourceScope, resourceScopes } from '../../core/scopes.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { LINES_TYPE, toResult } from '../answer/answer.ts'
import type { ContractAnswer, OnlyListed } from '../answer/contractAnswer.ts'
import { tokenErrorAnswer } from '../answer/tokenErrors.ts'
import type { Contract, HttpDeps, HttpEvent, HttpHandler } from '../contract.ts'
import { ValidationError } from '../errors.ts'
import { clientAtSourceIp, completeCredentials, readClientForm } from '../request/clientCredentials.ts'
import { readJsonBody } from '../request/readJsonBody.ts'
import { accepts, isForm, languageOf, sourceIpOf } from '../request/request.ts'
import { type JsonContract, type Validated, validated, withStrictBody } from '../request/validated.ts'
import { authenticate, callerOf, requireScope, userOf } from '../security/authenticate.ts'
import { readKnownBrowserCookie, readSessionCookie } from '../security/cookies.ts'
import { type PipelineSteps, pipeline } from './pipeline.ts'

type OpenDeps = Pick<HttpDeps, 'allowsOrigin' | 'clock' | 'logger' | 'rateLimit' | 'edgeKey' | 'edgeOnly'>

/** Who calls. API clients are granted scopes of an organization only, so they call only operations with such a scope. */
type CallerOf<C extends Contract> = C['forServiceClients'] extends true
  ? AnyIdentity
  : C['scope'] extends ResourceScope
    ? Identity | ApiClientIdentity
    : Identity

/** Never false after `requireScope`: API clients are granted no other scopes, and service clients only read. */
function mayCall<C extends Contract>({ scope, forServiceClients }: C, caller: AnyIdentity): caller is CallerOf<C> {
  if (isServiceClient(caller)) return forServiceClients === true
  return !isApiClient(caller) || resourceScopes.some((one) => one === scope)
}

/** A service client polls for all organizations, so it has a limit of its own at each operation, in place of the function's. */
const SERVICE_REQUESTS: RateLimit = { requests: 600, windowSeconds: 60 }

/**
 * A Lambda handler for signed-in users: 401, 403 `insufficient_scope`, then 429 for each user, 413 and broken JSON, 422, then `handle`. The
 * first read of `handle` takes the caller. It answers 401 if the token's grant has ended, which its signature does not show, and if the
 * contract requires a recent sign-in and the token's is older.
 */
export function protectedEndpoint<C extends JsonContract, const A extends ContractAnswer<C>>(
  contract: C,
  deps: HttpDeps,
  handle: (
    request: { caller: CallerOf<C>; language: Language; wantsLines: boolean } & Validated<C>,
  ) => Promise<A & OnlyListed<C, A>>,
): HttpHandler {
  const strict = withStrictBody(contract)
  return pipeline(deps, {
    deprecated: contract.deprecated,
    readers: deps.allowsOrigin,
    identify: [authenticate(contract, deps), requireScope(contract)],
    principalOf: ({ identity }) => identity && principalIdOf(identity),
    limitOf: ({ identity }) => (identity && isServiceClient(identity) ? SERVICE_REQUESTS : undefined),
    read: [readJsonBody(strict)],
    handle: async (event) => {
      const { identity } = event
      if (identity === undefined) throw new CommonError('unauthorized')
      const request = validated(strict, event)
      const caller = callerOf(contract, identity, request.body, deps.clock.now())
      if (!mayCall(contract, caller)) throw new CommonError('unauthorized')
      return toResult(
        await handle({
          caller,
          // Few operations ask for it.
          get language() {
            return languageOf(event)
          },
          get wantsLines() {
            return contract.lines !== undefined && accepts(event, LINES_TYPE)
          },
          ...request,
        }),
      )
    },
  })
}

/** What is known of a caller who is not signed in. */
interface Anyone {
  readonly sourceIp: string
  readonly language: Language
  /** The cookie of a known browser, which is not verified. */
  readonly knownBrowser: string | undefined
  /** The secret in the session cookie, which a session has or a sign-in that is pending. */
  readonly session: string | undefined
  /** The user of a valid access token, if the endpoint reads tokens and the request has one. Whether its grant is live is not read yet. */
  readonly caller: Identity | undefined
}

/**
 * A Lambda handler for anyone: 429 for each source IP, 413 and broken JSON, 422, then `handle`.
 * @param deps `accessTokens`: verifies an access token, which a request may have; without it the endpoint reads no token
 */
export function anonymousEndpoint<C extends JsonContract, const A extends ContractAnswer<C>>(
  contract: C,
  deps: OpenDeps & Partial<Pick<HttpDeps, 'accessTokens'>>,
  handle: (request: Anyone & Validated<C>) => Promise<A & OnlyListed<C, A>>,
): HttpHandler {
  const strict = withStrictBody(contract)
  return pipeline(deps, {
    deprecated: contract.deprecated,
    readers: deps.allowsOrigin,
    principalOf: sourceIpOf,
    read: [readJsonBody(strict)],
    handle: async (event) => {
      const cookies = { knownBrowser: readKnownBrowserCookie(event), session: readSessionCookie(event) }
      const caller = deps.accessTokens && (await userOf(deps.accessTokens, event))
      const anyone = { sourceIp: sourceIpOf(event), language: languageOf(event), ...cookies, caller }
      return toResult(await handle({ ...anyone, ...validated(strict, event) }))
    },
  })
}

/**
 * A Lambda handler for anyone that reads the event itself, not limited: the webhook, documents and unmatched routes.
 * @param deps `readers`: which pages of other origins may read the answers; none if omitted
 */
export function rawEndpoint<C extends Contract, const A extends ContractAnswer<C>>(
  { deprecated }: C,
  deps: Pick<OpenDeps, 'clock' | 'logger'> & Pick<PipelineSteps, 'readers'>,
  handle: (event: HttpEvent) => Promise<A & OnlyListed<C, A>>,
): HttpHandler {
  const { clock, logger, readers } = deps
  const steps = { deprecated, handle: async (event: HttpEvent) => toResult(await handle(event)) }
  return pipeline({ clock, logger }, { ...steps, ...(readers && { readers }) })
}

/** What an endpoint for clients needs. */
interface TokenEndpointDeps extends OpenDeps {
  /** Whether this client has no secret, and so may leave it out in JSON. If omitted, every client needs a secret. */
  isPublicClient?: ((clientId: string) => Promise<boolean>) | undefined
}

/**
 * The Lambda handler of the endpoints that only OAuth clients call: token, device authorization (RFC 8628), revocation (RFC 7009), introspection (RFC 7662). A JSON body
 * carries the client's credentials itself; a form body follows RFC 6749, with HTTP Basic beside it. Unknown members are ignored (§3.2). A
 * `client_secret` that is absent in a form, or of a public client, reaches `handle` empty, and only public clients pass with it. Errors are
 * RFC 6749 §5.2 objects. 429 counts each client at each source IP, so the body is read first.
 */
export function tokenEndpoint<C extends Contract, const A extends ContractAnswer<C>>(
  contract: C,
  deps: TokenEndpointDeps,
  handle: (request: Pick<Validated<C>, 'body'> & Pick<Anyone, 'sourceIp'>) => Promise<A & OnlyListed<C, A>>,
): HttpHandler {
  return pipeline(deps, {
    deprecated: contract.deprecated,
    readers: deps.allowsOrigin,
    identify: [readJsonBody(contract), readClientForm()],
    principalOf: clientAtSourceIp,
    handle: async (event) => {
      await completeCredentials(event, deps.isPublicClient)
      const { body } = isForm(event) ? validatedForm(contract, event) : validated(contract, event)
      const { headers, ...answer } = await handle({ body, sourceIp: sourceIpOf(event) })
      // RFC 6749 §5.1 requires it beside Cache-Control, for HTTP/1.0 caches.
      return toResult({ ...answer, headers: { pragma: 'no-cache', ...headers } })
    },
    answerTo: tokenErrorAnswer,
  })
}

function validatedForm<C extends Contract>(contract: C, event: HttpEvent): Validated<C> {
  try {
    return validated(contract, event)
  } catch (error) {
    if (error instanceof ValidationError) throw invalidRequest(error)
    throw error
  }
}

/** The first problem of a form. Its names are the contract's: members that it does not list are not read. */
function invalidRequest({ message, problems }: ValidationError): OAuthError {
  const [{ loc, type } = { loc: [], type: '' }] = problems
  const parameter = { name: String(loc[1]), fault: type === 'missing' ? 'missing' : 'malformed' } as const
  return new OAuthError('invalid_request', { message, parameter })
}
