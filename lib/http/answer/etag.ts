import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { CommonError } from '../../core/errors.ts'
import { described } from '../schema.ts'

/** The headers of a read that answers 304 to what the caller has already. */
export const conditionalRead = z.object({
  'If-None-Match': described(
    'ETags that the caller holds: if one is current, the answer is 304',
    z.optional(z.string()),
  ),
})

/** The headers of a change that is made only to what the caller has seen. */
export const conditionalChange = z.object({
  'If-Match': described(
    'The ETag that the caller has seen: if it is not current, the answer is 412',
    z.optional(z.string()),
  ),
})

/** The strong ETag of a JSON representation (RFC 9110 §8.8.3): the same for the same members in the same order, and no other. */
export function etagOf(body: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`
}

/** The answer to a read: 304 if `If-None-Match` names the representation (§13.1.2, a weak comparison), else 200; both with its ETag. */
export function readAnswer<Body>(body: Body, headers: z.output<typeof conditionalRead>) {
  const etag = etagOf(body)
  const listed = headers['If-None-Match']
  const isKnown = listed !== undefined && names(listed.replaceAll(/W\/(?=")/g, ''), etag)
  return isKnown
    ? { status: 304 as const, body: undefined, headers: { etag } }
    : { status: 200 as const, body, headers: { etag } }
}

/** Whether a change that was asked for with `If-Match` may be made to a stored value, to be asked before each conditional write. */
type Precondition<Stored> = (stored: Stored) => void

/**
 * The precondition of `If-Match`; undefined if it was not sent. It throws CommonError `precondition_failed` unless the header is `*`
 * or lists the ETag of the value's representation (§13.1.1). A weak ETag, or what is none, matches nothing.
 * @param represent the representation of a stored value, as a read answers it
 */
export function ifMatch<Stored>(
  headers: z.output<typeof conditionalChange>,
  represent: (stored: Stored) => unknown,
): Precondition<Stored> | undefined {
  const listed = headers['If-Match']
  if (listed === undefined) return undefined
  return (stored) => {
    if (!names(listed, etagOf(represent(stored)))) throw new CommonError('precondition_failed')
  }
}

function names(listed: string, etag: string): boolean {
  return listed.trim() === '*' || listed.split(',').some((one) => one.trim() === etag)
}
