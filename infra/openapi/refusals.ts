import * as z from 'zod/mini'
import { type ErrorCode, errorAnswers } from '../../lib/http/answer/errorAnswers.ts'
import { carriesToken } from '../manifest.ts'
import type { Operation } from './operation.ts'

/**
 * The codes with which an operation is refused beside what its contract says: those that follow from who calls it, from what it reads and
 * from what it depends on.
 */
export function refusalsOf({ row, contract }: Operation): ErrorCode[] {
  const { caller, rateLimit, tables, kms } = row
  const actsOnOrganization = carriesToken(row) && caller !== 'user'
  // A contract with a 502 of its own says itself what the gateway's refusals look like.
  const answersForGateway = row.secrets.includes('stripeSecretKey') && contract.responses[502] === undefined
  const dependsOnStores = Object.keys(tables).length > 0 || Object.keys(kms).length > 0
  return [
    ...codes(carriesToken(row), 'unauthorized', 'invalid_token', 'insufficient_scope'),
    ...codes(contract.recentSignIn !== undefined, 'insufficient_user_authentication'),
    ...codes(actsOnOrganization, 'organization_not_found'),
    ...codes(actsOnOrganization && caller !== 'member', 'forbidden'),
    ...codes(contract.body !== undefined, 'payload_too_large'),
    ...codes(contract.headers !== undefined && 'If-Match' in contract.headers.shape, 'precondition_failed'),
    ...codes(rateLimit !== undefined, 'rate_limited'),
    ...codes(isThrottled({ row, contract }), 'too_many_attempts'),
    ...codes(answersForGateway, 'gateway_refused', 'gateway_unavailable'),
    ...codes(dependsOnStores, 'service_unavailable'),
    'internal_error',
  ]
}

/** What takes a password, or sends a mail to an address that its caller names, is throttled beside its limit. */
function isThrottled({ row, contract: { body } }: Operation): boolean {
  const names = body instanceof z.ZodMiniObject ? Object.keys(body.shape) : []
  return names.includes('current_password') || (row.mail === true && names.includes('email'))
}

/** Whether an operation can be answered 422. */
export function isValidated({ contract }: Operation): boolean {
  return [contract.path, contract.query, contract.body].some((part) => part !== undefined)
}

/** Codes by the status that they are answered with. */
export function byStatus(refusals: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  return Map.groupBy(refusals, (code) => errorAnswers[code].status)
}

function codes(applies: boolean, ...all: ErrorCode[]): ErrorCode[] {
  return applies ? all : []
}

/** A limit in words; undefined if a function has none. */
export function limitInWords({ row }: Operation): string | undefined {
  const { rateLimit } = row
  if (rateLimit === undefined) return undefined
  const client = row.caller === 'client' ? 'each client at one source IP' : 'each source IP'
  const principal = carriesToken(row) ? 'each user' : client
  return `At most ${rateLimit.requestsPerMinute} requests in 60 s for ${principal}.`
}
