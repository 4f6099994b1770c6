import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Clock } from '../../core/clock.ts'
import { reasonOf } from '../../core/errors.ts'
import type { IdempotencyKeys, KeyRecord, StoredAnswer } from '../../core/idempotency.ts'
import type { Ids, UserId } from '../../core/ids.ts'
import type { Logger } from '../../log/logger.ts'
import { RequestError, ValidationError } from '../errors.ts'
import { described } from '../schema.ts'

/** The header of a POST that may be sent again: 1 to 255 printable ASCII characters, of the caller's choosing. */
export const repeatableRequest = z.object({
  'Idempotency-Key': described(
    'Printable ASCII, chosen by the caller. If you repeat a request with the same key and body within 24 hours, you get the answer of the first success; with another body, 422. A key belongs to one user, operation and organization',
    z.optional(z.string().check(z.minLength(1), z.maxLength(255), z.regex(/^[\x20-\x7e]*$/))),
  ),
})

/** Longer than any function with an exclusive operation runs, so that its executions do not overlap. */
const LEASE_MS = 30_000

export interface AnswerOnceDeps {
  keys: IdempotencyKeys
  ids: Pick<Ids, 'uuid'>
  clock: Clock
  logger: Logger
  /** Milliseconds to wait for a request with the same key, in turn, before the answer is `request_in_progress`. */
  waits: readonly number[]
}

/** A request, and what its key is unique to. */
export interface RepeatableRequest {
  /** The header `Idempotency-Key`; undefined if it was not sent. */
  key: string | undefined
  /** The function's name. */
  operation: string
  userId: UserId
  /** What its path names. */
  resource?: string
  /** As validated. */
  body: unknown
}

/** A success without a secret in it. */
interface Success<Status extends number, Body> {
  status: Status
  body: Body
  headers?: Readonly<Record<string, string>>
}

interface OnceSteps<Status extends number, Schema extends z.ZodMiniType> {
  status: Status
  schema: Schema
  /** Refuses who may not send the request, also again: before anything is written, and before a stored answer is repeated. */
  authorize: () => Promise<unknown>
  /** Whether two executions at once would have two effects. Executions of any other operation create a single thing, by `resourceId`. */
  isExclusive: boolean
  /** @param resourceId the id to create the thing with, the same in each execution; undefined without a key */
  execute: (resourceId: string | undefined) => Promise<Success<Status, z.output<Schema>>>
}

/**
 * Executes a request once for its `Idempotency-Key`, and repeats the answer of its success for 24 h. Without a key it is executed.
 * A failure is not stored: the same request executes again, if it is exclusive, when the lease of a crashed execution has ended (30 s).
 * @throws ValidationError if the key was used with another body; RequestError `request_in_progress`; CommonError
 *   `service_unavailable`; what `authorize` and `execute` throw
 */
export async function answerOnce<Status extends number, Schema extends z.ZodMiniType>(
  deps: AnswerOnceDeps,
  request: RepeatableRequest,
  steps: OnceSteps<Status, Schema>,
): Promise<Success<Status, z.output<Schema>>> {
  const { keys, ids, clock, waits } = deps
  if (request.key === undefined) return steps.execute(undefined)
  const key = digestOf([request.operation, request.userId, request.resource, request.key])
  const bodyDigest = digestOf(request.body)
  const read = async () => {
    const found = await keys.find(key, clock.now())
    if (found && found.bodyDigest !== bodyDigest) throw new ValidationError([usedOtherwise])
    return found
  }
  let found = await read()
  await steps.authorize()
  for (const wait of [...waits, undefined]) {
    if (found?.answer) return repeat(found.answer, steps)
    const now = clock.now()
    const leaseUntil = now + (steps.isExclusive ? LEASE_MS : 0)
    const held = await keys.begin(key, { bodyDigest, resourceId: ids.uuid(), leaseUntil }, now)
    if (held) return executeFor(deps, { key, held }, steps)
    if (wait === undefined) break
    await setTimeout(wait)
    found = await read()
  }
  throw new RequestError('request_in_progress')
}

const usedOtherwise = {
  loc: ['header', 'Idempotency-Key'],
  msg: 'Value error, the key was used with another body',
  type: 'value_error',
} as const

function repeat<Status extends number, Schema extends z.ZodMiniType>(
  { headers, body }: StoredAnswer,
  { status, schema }: OnceSteps<Status, Schema>,
): Success<Status, z.output<Schema>> {
  return { status, headers, body: schema.parse(body) }
}

async function executeFor<Status extends number, Schema extends z.ZodMiniType>(
  { keys, logger }: AnswerOnceDeps,
  { key, held }: { key: string; held: KeyRecord },
  { execute }: OnceSteps<Status, Schema>,
): Promise<Success<Status, z.output<Schema>>> {
  const notStored = (error: unknown) => logger.warn('Answer not stored', { reason: reasonOf(error) })
  try {
    const answer = await execute(held.resourceId)
    // The work is done: answer it even if the answer cannot be stored.
    await keys.complete(key, held, { headers: {}, ...answer }).catch(notStored)
    return answer
  } catch (error) {
    await keys.release(key, held).catch(notStored)
    throw error
  }
}

/** SHA-256 of a JSON value, whatever the order of its members, as base64url. */
function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, sorted) ?? '')
    .digest('base64url')
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
