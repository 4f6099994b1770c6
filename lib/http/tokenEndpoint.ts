import middy from '@middy/core'
import { OAuthError } from '../oauth/errors.ts'
import { answerErrors, answerInTable, errorAnswer } from './answerErrors.ts'
import { triedBasic } from './basicCredentials.ts'
import type { Answer, Contract, HttpDeps, HttpEvent, HttpHandler, HttpResult } from './contract.ts'
import { followClock } from './followClock.ts'
import { outOfTime } from './outOfTime.ts'
import { isForm, readFormBody } from './readFormBody.ts'
import { readJsonBody } from './readJsonBody.ts'
import { toResult } from './toResult.ts'
import { type Validated, validated } from './validated.ts'
import { ValidationError } from './validationError.ts'

/**
 * The Lambda handler of the token endpoint. A JSON body is validated as everywhere and carries the client's credentials itself;
 * a form body follows RFC 6749, with HTTP Basic beside it. Errors are RFC 6749 §5.2 objects with a `detail` of the same text.
 */
export function tokenEndpoint<C extends Contract>(
  contract: C,
  deps: Pick<HttpDeps, 'clock' | 'logger'>,
  handle: (request: Pick<Validated<C>, 'body'>) => Promise<Answer>,
): HttpHandler {
  return middy<HttpEvent, HttpResult>(outOfTime)
    .use(followClock(deps.clock))
    .use(readJsonBody(contract))
    .use(readFormBody())
    .use(answerErrors(deps.logger, tokenErrorAnswer))
    .handler(async (event: HttpEvent): Promise<HttpResult> => {
      const { body } = isForm(event) ? validatedForm(contract, event) : validated(contract, event)
      const answer = await handle({ body })
      // RFC 6749 §5.1 wants it beside Cache-Control, for HTTP/1.0 caches.
      return toResult({ ...answer, headers: { pragma: 'no-cache', ...answer.headers } })
    })
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

/** RFC 6749 §5.2 has no word for trouble of the server's own: these are §4.1.2.1's. */
function oauthErrorName(thrown: unknown, status: number): string {
  if (thrown instanceof OAuthError) return thrown.code
  if (status === 503) return 'temporarily_unavailable'
  return status < 500 ? 'invalid_request' : 'server_error'
}
