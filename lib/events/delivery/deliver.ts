import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../log/logger.ts'
import { type EndPendingDeps, endPending } from '../endPending.ts'
import type { DeliveryAttempt, DisabledReason, WebhookSecretCipher } from '../ports.ts'
import type {
  ClaimedDelivery,
  DeliveryName,
  DeliveryQueue,
  SendResult,
  SendWebhook,
  ServedEndpoint,
  SignWebhook,
} from './ports.ts'
import { GIVE_UP_AFTER, nextTry } from './retrySchedule.ts'

export interface DeliverDeps extends EndPendingDeps {
  readonly queue: DeliveryQueue
  readonly cipher: Pick<WebhookSecretCipher, 'decrypt'>
  readonly send: SendWebhook
  readonly sign: SignWebhook
  readonly clock: Clock
  readonly logger: Logger
  /** From 0 to below 1. */
  readonly random: () => number
}

/** Milliseconds of a claim: longer than an attempt with its reads and writes. */
const CLAIM = 30_000

/** An attempt that takes longer is slow; milliseconds. */
const SLOW = 2000

/** How long an endpoint is left to the schedule after it failed or was slow; milliseconds. */
const TROUBLE = 5 * 60_000

const GONE = 410

/**
 * What came of a delivery. `failed` with the time of the next try, if there is one; `skipped`: it is not due, another worker has it, or it ended
 * without an attempt.
 */
export type Delivered =
  | { readonly kind: 'delivered'; readonly isSlow: boolean }
  | { readonly kind: 'failed'; readonly retryAt: number | undefined }
  | { readonly kind: 'skipped' }

/**
 * Tries a delivery that is due, at least once whatever crashes: claim, read, send, settle. If an invocation ends in between, the claim lapses and
 * the delivery is due again.
 * @throws CommonError `service_unavailable` if the store or KMS is unavailable
 */
export async function deliver(deps: DeliverDeps, name: DeliveryName): Promise<Delivered> {
  const { queue, clock } = deps
  const at = clock.now()
  const delivery = await queue.claim(name, { now: at, until: at + CLAIM })
  if (delivery === undefined) return { kind: 'skipped' }
  const { endpoint, body } = await queue.read(delivery)
  if (!endpoint?.enabled || body === undefined || at >= delivery.firstAttemptAt + GIVE_UP_AFTER) {
    await end(deps, delivery, endpoint, at)
    return { kind: 'skipped' }
  }
  const result = await attempt(deps, delivery, endpoint, body)
  return note(deps, { delivery, endpoint, at, result })
}

/** Ends a delivery without another attempt. If its five days are over, so may be its endpoint's. */
async function end(
  deps: DeliverDeps,
  delivery: ClaimedDelivery,
  endpoint: ServedEndpoint | undefined,
  now: number,
): Promise<void> {
  const { attempts, lastAttempt } = delivery
  const mayGo = endpoint?.enabled && hasFailedLong(endpoint.failingSince, now)
  const isDisabled = mayGo && (await disable(deps, endpoint, 'failing'))
  await deps.queue.settle(delivery, { status: 'failed', attempts: attempts - 1, lastAttempt })
  if (isDisabled) await endPending(deps, endpoint.id)
}

async function attempt(
  { cipher, sign, send, clock }: DeliverDeps,
  { eventId }: ClaimedDelivery,
  { owner, url, secret, previous }: ServedEndpoint,
  body: string,
): Promise<SendResult> {
  const at = clock.now()
  const ciphers = previous !== undefined && at < previous.until ? [secret, previous.secret] : [secret]
  const secrets = await Promise.all(ciphers.map((each) => cipher.decrypt(owner, each)))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'console-backend',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': sign({ id: eventId, at, body }, secrets),
  }
  return send({ url, headers, body })
}

interface Attempted {
  readonly delivery: ClaimedDelivery
  readonly endpoint: ServedEndpoint
  /** When the attempt began. */
  readonly at: number
  readonly result: SendResult
}

/** Stores what came of an attempt: first at the endpoint, because a settled delivery is not looked at again. */
async function note(deps: DeliverDeps, { delivery, endpoint, at, result }: Attempted): Promise<Delivered> {
  const { queue, clock } = deps
  const now = clock.now()
  const lastAttempt = attemptOf(at, result)
  const { attempts } = delivery
  const isSlow = now - at > SLOW
  if (isSuccess(result)) {
    if (isSlow) await queue.noteTrouble(endpoint, { slowUntil: now + TROUBLE })
    if (endpoint.failingSince !== undefined) await queue.noteSuccess(endpoint)
    await queue.settle(delivery, { status: 'delivered', attempts, lastAttempt })
    return { kind: 'delivered', isSlow }
  }
  const failingSince = endpoint.failingSince ?? at
  const reason = result.kind === 'answered' && result.status === GONE ? 'gone' : 'failing'
  const mayGo = reason === 'gone' || hasFailedLong(failingSince, now)
  if (mayGo && (await disable(deps, endpoint, reason))) {
    await queue.settle(delivery, { status: 'failed', attempts, lastAttempt })
    await endPending(deps, endpoint.id)
    return { kind: 'failed', retryAt: undefined }
  }
  await queue.noteTrouble(endpoint, { failedAt: at, slowUntil: now + TROUBLE })
  const next = nextTry(delivery, now, deps.random())
  await queue.settle(delivery, { status: 'pending', attempts, lastAttempt, next })
  return { kind: 'failed', retryAt: next.kind === 'try' ? next.at : undefined }
}

/** Returns whether this call disabled it. */
async function disable(
  { queue, clock, logger }: DeliverDeps,
  endpoint: ServedEndpoint,
  reason: DisabledReason,
): Promise<boolean> {
  const isDisabled = await queue.disable(endpoint, reason, clock.now())
  const { id: endpointId, owner } = endpoint
  const organization = owner !== 'operator' && { organizationId: owner }
  if (isDisabled) logger.warn('Endpoint disabled', { endpointId, ...organization, reason })
  return isDisabled
}

function hasFailedLong(failingSince: number | undefined, now: number): boolean {
  return failingSince !== undefined && now >= failingSince + GIVE_UP_AFTER
}

function isSuccess(result: SendResult): boolean {
  return result.kind === 'answered' && result.status >= 200 && result.status < 300
}

function attemptOf(at: number, result: SendResult): DeliveryAttempt {
  if (result.kind === 'not_answered') return { at, responseStatus: null, responseBody: null, error: result.fault }
  return { at, responseStatus: result.status, responseBody: result.body, error: null }
}
