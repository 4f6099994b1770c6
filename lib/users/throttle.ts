import type { Clock } from '../core/clock.ts'
import { emailKey } from './emailKey.ts'
import { TooManyAttemptsError } from './errors.ts'
import type { AttemptRecord, AttemptSubject, Attempts } from './ports.ts'

export interface ThrottleDeps {
  readonly attempts: Attempts
  readonly clock: Clock
}

/** The number of free attempts, and the bounds of the delay after them, which doubles each time. */
interface Throttle {
  readonly free: number
  readonly firstSeconds: number
  readonly maxSeconds: number
}

const FORGOTTEN_AFTER_SECONDS = 24 * 60 * 60

/** Recipients may not have requested mails, so those wait up to an hour. A source IP may be shared by a whole office, so it has a higher limit. */
const throttles: Record<AttemptSubject['kind'], Throttle> = {
  mail: { free: 10, firstSeconds: 1, maxSeconds: 3600 },
  mail_source_ip: { free: 100, firstSeconds: 1, maxSeconds: 300 },
}

/**
 * Counts an attempt before it is made, so that concurrent attempts count too. After the free ones, one attempt is admitted per
 * delay, which doubles each time. Counts expire after a day without attempts.
 * @throws TooManyAttemptsError during the delay
 */
export async function throttle({ attempts, clock }: ThrottleDeps, subject: AttemptSubject): Promise<void> {
  const { free } = throttles[subject.kind]
  const now = clock.now()
  const expiresAt = Math.floor(now / 1000) + FORGOTTEN_AFTER_SECONDS
  const current = await attempts.count(subject, { free, expiresAt })
  if (current === 'counted') return
  if (current.expiresAt * 1000 > now && current.blockedUntil > now) throw waitUntil(current.blockedUntil, now)
  const next = { ...nextRecord(throttles[subject.kind], current, now), expiresAt }
  if (!(await attempts.replace(subject, current, next))) throw waitUntil(next.blockedUntil, now)
}

/**
 * Counts a request that sends a mail, by source IP and by recipient, known or not.
 * @throws TooManyAttemptsError
 */
export async function throttleMail(deps: ThrottleDeps, to: { email: string; sourceIp: string }): Promise<void> {
  await throttle(deps, { kind: 'mail_source_ip', subject: to.sourceIp })
  await throttle(deps, { kind: 'mail', subject: emailKey(to.email) })
}

function nextRecord({ free, firstSeconds, maxSeconds }: Throttle, { attempts, expiresAt }: AttemptRecord, now: number) {
  if (expiresAt * 1000 <= now) return { attempts: 1, blockedUntil: 0 }
  const delaySeconds = Math.min(maxSeconds, firstSeconds * 2 ** (attempts - free))
  return { attempts: attempts + 1, blockedUntil: now + delaySeconds * 1000 }
}

function waitUntil(time: number, now: number): TooManyAttemptsError {
  return new TooManyAttemptsError({ retryAfterSeconds: Math.max(1, Math.ceil((time - now) / 1000)) })
}
