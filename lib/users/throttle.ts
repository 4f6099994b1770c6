import type { Clock } from '../core/clock.ts'
import { emailKey } from './emailKey.ts'
import { TooManyAttemptsError } from './errors.ts'
import type { AttemptRecord, AttemptSubject, Attempts } from './ports.ts'

export interface ThrottleDeps {
  readonly attempts: Attempts
  readonly clock: Clock
}

/** How many attempts are free, and how long the ones after wait: twice as long each time, within these bounds. */
interface Throttle {
  readonly free: number
  readonly firstSeconds: number
  readonly maxSeconds: number
}

const FORGOTTEN_AFTER_SECONDS = 24 * 60 * 60

/**
 * An account under attack is never locked for longer than five minutes, so that nobody can keep its owner out. An address may be
 * that of a whole office, so it has more room. Mails go to people who may not have asked for them: they get rare.
 */
const throttles: Record<AttemptSubject['kind'], Throttle> = {
  sign_in: { free: 5, firstSeconds: 1, maxSeconds: 300 },
  sign_in_source_ip: { free: 50, firstSeconds: 1, maxSeconds: 300 },
  mail: { free: 10, firstSeconds: 1, maxSeconds: 3600 },
  mail_source_ip: { free: 100, firstSeconds: 1, maxSeconds: 300 },
}

/**
 * Counts an attempt before it is made, so that attempts at the same time count as well: past the free ones a single one is
 * admitted, and the next after a delay that doubles each time. A day without attempts forgets them.
 * @throws TooManyAttemptsError where it has to wait
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
 * Counts a request that sends a mail, for the address that it comes from and for the one that it goes to, known or not.
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
