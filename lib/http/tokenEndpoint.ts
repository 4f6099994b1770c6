import middy from '@middy/core'
import * as z from 'zod'
import { OAuthError } from '../oauth/errors.ts'
import { toResult } from './answer.ts'
import { answerErrors, answerInTable, errorAnswer } from './answerErrors.ts'
import { triedBasic } from './clientCredentials.ts'
import type { Answer, Contract, HttpDeps, HttpEvent, HttpHandler, HttpResult } from './contract.ts'
import { ValidationError } from './errors.ts'
import { rateLimit } from './rateLimit.ts'
import { isForm, readFormBody } from './readFormBody.ts'
import { readJsonBody } from './readJsonBody.ts'
import { withRequestScope } from './requestScope.ts'
import { syncClock } from './syncClock.ts'
import { timeoutOptions } from './timeoutOptions.ts'
import { type Validated, validated } from './validated.ts'

/** What an endpoint for clients needs. */
export interface TokenEndpointDeps extends Pick<HttpDeps, 'clock' | 'logger' | 'rateLimit'> {
  /** Whether this client has no secret, and so may leave it out. Where not given, every client needs one. */
  isPublicClient?: ((clientId: string) => Promise<boolean>) | undefined
}

/**
 * The Lambda handler of the token endpoint, and of its neighbours that only clients call (RFC 7009, RFC 7662). A JSON body is
 * validated as everywhere and carries the client's credentials itself; a form body follows RFC 6749, with HTTP Basic beside it. A
 * public client's `client_secret` may be absent or empty, and is handed on as an empty one; of every other it is required. Errors are
 * RFC 6749 §5.2 objects with a `detail` of the same text.
 */
export function tokenEndpoint<C extends Contract>(
  contract: C,
  deps: TokenEndpointDeps,
  handle: (request: Pick<Validated<C>, 'body'>) => Promise<Answer>,
): HttpHandler {
  const handler = middy<HttpEvent, HttpResult>(timeoutOptions)
    .use(answerErrors(deps.logger, tokenErrorAnswer))
    .use(syncClock(deps.clock))
    .use(readJsonBody(contract))
    .use(readFormBody())
    .use(rateLimit(deps, clientAtAddress))
    .handler(async (event: HttpEvent): Promise<HttpResult> => {
      await completeCredentials(event, deps)
      const { body } = isForm(event) ? validatedForm(contract, event) : validated(contract, event)
      const answer = await handle({ body })
      // RFC 6749 §5.1 wants it beside Cache-Control, for HTTP/1.0 caches.
      return toResult({ ...answer, headers: { pragma: 'no-cache', ...answer.headers } })
    })
  return withRequestScope(handler)
}

const withoutSecret = z.looseObject({ client_id: z.string(), client_secret: z.literal(['', null]).optional() })

/** Only a request without a secret costs the look-up, whoever it says it is from: an unknown client takes as long as a known one. */
async function completeCredentials(event: HttpEvent, { isPublicClient }: TokenEndpointDeps): Promise<void> {
  const { success, data } = withoutSecret.safeParse(event.payload)
  if (!success || triedBasic(event) || !(await isPublicClient?.(data.client_id))) return
  event.payload = { ...data, client_secret: '' }
}

const namesClient = z.looseObject({ client_id: z.string() })

/**
 * Whom a token request counts for, known or not, with the right secret or not. One that names no client is refused without a
 * look at any store: there is nothing in it to guess with.
 */
function clientAtAddress({ payload, requestContext }: HttpEvent): string | undefined {
  const clientId = namesClient.safeParse(payload).data?.client_id
  return clientId === undefined ? undefined : `${requestContext.http.sourceIp} ${clientId}`
}

function validatedForm<C extends Contract>(contract: C, event: HttpEvent): Validated<C> {
  try {
    return validated(contract, event)
  } catch (error) {
    if (error instanceof ValidationError) throw new OAuthError('invalid_request', { message: error.message })
    throw error
  }
}

function tokenErrorAnswer(thrown: unknown, event: HttpEvent): Answer {
  if (thrown instanceof ValidationError) return errorAnswer(thrown)
  const { status, detail, headers } = answerInTable(thrown)
  return {
    status,
    body: { error: oauthErrorName(thrown, status), error_description: detail, detail },
    headers: { ...headers, ...(status === 401 && triedBasic(event) && { 'www-authenticate': 'Basic realm="oauth"' }) },
  }
}

/**
 * RFC 6749 §5.2 has no word for trouble of the server's own: these are §4.1.2.1's. 429 has the one for overloading, for "try again
 * later" is what it means; `slow_down` (RFC 8628 §3.5) speaks to a device that polls.
 */
function oauthErrorName(thrown: unknown, status: number): string {
  if (thrown instanceof OAuthError) return thrown.code
  if (status === 503 || status === 429) return 'temporarily_unavailable'
  return status < 500 ? 'invalid_request' : 'server_error'
}
