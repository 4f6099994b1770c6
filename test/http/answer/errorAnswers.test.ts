import { describe, expect, it } from '@jest/globals'
import { ServiceError } from '../../../lib/core/errors.ts'
import { errorAnswer } from '../../../lib/http/answer/answerErrors.ts'
import { comparedDetails, errorAnswers, onlyFor } from '../../../lib/http/answer/errorAnswers.ts'
import { eventOf } from '../call.ts'

const gatewayUnavailable = 'The payment gateway is unavailable; the request is safe to send again'
const serviceUnavailable = 'The service is temporarily unavailable; the request is safe to send again'

const event = eventOf({ requestId: 'abc=' })

describe('The public answer to an error', () => {
  // [asvs 16.5.1]
  it.each([
    ['unauthorized', 401, 'Unauthorized', { 'www-authenticate': 'Bearer' }],
    ['invalid_token', 401, 'Unauthorized', { 'www-authenticate': 'Bearer error="invalid_token"' }],
    [
      'insufficient_scope',
      403,
      'The access token was not granted the scope of this operation',
      { 'www-authenticate': 'Bearer error="insufficient_scope"' },
    ],
    ['organization_not_found', 404, 'Organization not found', {}],
    ['forbidden', 403, 'Clients that act by themselves may not do this', {}],
    ['not_subscribed', 404, 'Subscription not found', {}],
    ['checkout_in_progress', 409, 'CHECKOUT_IN_PROGRESS', {}],
    ['username_already_exists', 409, 'USERNAME_ALREADY_EXISTS', {}],
    ['request_in_progress', 409, 'A request with this Idempotency-Key is in progress', { 'retry-after': '5' }],
    ['gateway_refused', 502, 'The payment gateway refused the request', {}],
    ['gateway_unavailable', 503, gatewayUnavailable, { 'retry-after': '5' }],
    ['service_unavailable', 503, serviceUnavailable, { 'retry-after': '5' }],
    ['invalid_signature', 400, 'Invalid signature', {}],
    ['payload_too_large', 413, 'The request body is larger than 32 KiB', {}],
  ])('with the code %s is %d, whatever text the error has', (code, status, detail, headers) => {
    const failure = new ServiceError(code, { message: 'sk_live_secret', cause: new Error('secret too') })
    expect(errorAnswer(failure, event)).toEqual({ status, body: { detail, code, request_id: 'abc=' }, headers })
  })

  it.each([new ServiceError('toString'), new Error('secret'), 'text', undefined])(
    'without a known code is 500',
    (failure) => {
      const body = { detail: 'Internal Server Error', code: 'internal_error', request_id: 'abc=' }
      expect(errorAnswer(failure, event)).toEqual({ status: 500, body, headers: {} })
    },
  )

  it('uses only the characters that RFC 6749 allows in an error_description', () => {
    const all = [...Object.values(errorAnswers).map(({ detail }) => detail), ...Object.values(onlyFor)]
    for (const detail of all) expect(detail).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
  })

  it('is a sentence for people, except for the constants that consoles compare', () => {
    const compared = new Set<string>(Object.values(comparedDetails))
    const constants = Object.values(errorAnswers).filter(({ detail }) => /^[A-Z_]+$/.test(detail))
    expect(new Set(constants.map(({ detail }) => detail))).toEqual(compared)
  })
})
