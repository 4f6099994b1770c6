import type { Career } from './calendar.ts'
import { DAY, HOUR } from './calendar.ts'

/** The rules of the company. */
export const rules = { maxSessionDays: 3, idleHours: 24, factorFrom: 3 * DAY } as const

/** The sign-in that an application's tokens are of. */
interface SignIn {
  /** At the latest. */
  readonly at: number
  readonly hasTwoFactors: boolean
  idle: number
  usedAt: number
  hasEnded: boolean
}

/** What the company's rules mean for an employee now, told from what has happened to them. */
export class Expectations {
  readonly #career: Career
  #signIn: SignIn | undefined
  isMember = false
  hasApp = false

  constructor(career: Career) {
    this.#career = career
  }

  /** @param at as the service counts the sign-in */
  signedIn({ at, now }: { at: number; now: number }): void {
    const hasTwoFactors = this.#career.factor === 'at the provider' || this.hasApp
    this.#signIn = { at, hasTwoFactors, idle: 0, usedAt: now, hasEnded: false }
  }

  loggedOut(): void {
    if (this.#signIn) this.#signIn.hasEnded = true
  }

  /** What the application gets for its refresh token. */
  refreshed(now: number): string {
    const signIn = this.#signIn
    if (signIn === undefined || signIn.hasEnded) return 'invalid_grant'
    const pause = now - signIn.usedAt
    if (pause >= HOUR) signIn.idle = Math.max(signIn.idle, pause)
    signIn.usedAt = now
    return 'served'
  }

  /** What a request is answered. */
  answer(now: number): string {
    const signIn = this.#signIn
    if (signIn === undefined || signIn.hasEnded) return 'invalid_token'
    if (!this.isMember) return 'organization_not_found'
    const { hasTwoFactors, idle, at } = signIn
    const mustHaveFactor = now >= rules.factorFrom
    if (mustHaveFactor && !hasTwoFactors && !this.hasApp) return 'second_factor_required'
    const isOld = Math.floor(now / 1000) - Math.floor(at / 1000) > (rules.maxSessionDays * DAY) / 1000
    const isIdle = Math.floor(idle / 1000) * 1000 >= rules.idleHours * HOUR
    const isMet = !isOld && !isIdle && (!mustHaveFactor || hasTwoFactors)
    return isMet ? 'served' : 'insufficient_user_authentication'
  }
}
