import { ServiceError } from '../../core/errors.ts'
import type { HttpResult } from '../../http/contract.ts'
import { errorPage, type Failure, retryPage } from '../kit/errorPage.ts'
import type { Look } from '../kit/look.ts'

/** The pages for failures of the forms of authenticators: too many changes are not too many requests. */
export function securityFailure(failure: Failure, look: Look): HttpResult {
  const { answer, event, error } = failure
  const isTooMany = error instanceof ServiceError && error.code === 'too_many_attempts'
  return isTooMany ? retryPage(look, { ...answer, event, name: 'tooManyAttempts' }) : errorPage(failure, look)
}
