import * as z from 'zod/mini'
import { type OrganizationId, organizationIdSchema } from './ids.ts'

/**
 * How users prove their identity, in the words of RFC 8176 §2: a password (`pwd`), a one-time password or a recovery code (`otp`), a
 * passkey that stays on its device (`hwk`) or is synchronized (`swk`), with a check of its user (`user`). `mfa` is added if these are two
 * factors; a passkey that checked its user counts as two.
 */
export const authenticationMethodSchema = z.enum(['pwd', 'otp', 'hwk', 'swk', 'user', 'mfa'])

export type AuthenticationMethod = z.output<typeof authenticationMethodSchema>

/** A sign-in: its time in Unix milliseconds, its methods, until when its second factor is new, how long it was idle since, and by whose single sign-on it came, in which session there. */
export const authenticationSchema = z.object({
  at: z.int(),
  methods: z.array(authenticationMethodSchema),
  newFactorUntil: z.optional(z.int()),
  idleSeconds: z.optional(z.int()),
  sso: z.optional(organizationIdSchema),
  ssoSession: z.optional(z.string()),
})

/** By which single sign-on a user came. */
export interface SignOn {
  /** The organization whose single sign-on it was; undefined for every other way. */
  readonly sso?: OrganizationId | undefined
  /** The digest of the session at its provider, which signs it out by that; undefined if the provider names none. */
  readonly ssoSession?: string | undefined
}

export const arrivalSchema = z.object({ at: z.int(), logouts: z.array(z.string()) })

/** A person who has come from the provider of a company, and has no session by that yet. */
export interface Arrival {
  /** Unix milliseconds. */
  readonly at: number
  /** The names of the logouts that end it, if the provider sends one from then on. */
  readonly logouts: readonly string[]
}

export interface Authentication extends SignOn {
  /** Unix milliseconds. */
  readonly at: number
  readonly methods: readonly AuthenticationMethod[]
  /** Until then the second factor of this sign-in is new, in Unix milliseconds; undefined if it was not. */
  readonly newFactorUntil?: number | undefined
  /** The longest pause in the use of its session since; undefined while no pause was an hour long. */
  readonly idleSeconds?: number | undefined
}

export function signOnOf({ sso, ssoSession }: SignOn): SignOn {
  return { sso, ssoSession }
}

/**
 * Whole seconds since a sign-in, as `max_age` counts them: from the start of its second, because the claim `auth_time` has only seconds. So
 * the age of a session always equals that of its tokens.
 * @param now Unix milliseconds
 */
export function secondsSince({ at }: Pick<Authentication, 'at'>, now: number): number {
  return Math.floor(now / 1000) - Math.floor(at / 1000)
}

/** Shorter pauses are not noted: no rule can ask about them. */
const NOTED_PAUSE_SECONDS = 3600

/**
 * A sign-in whose session is used again now.
 * @param lastUsedAt when it was used before; Unix milliseconds, as `now`
 */
export function afterPause(authentication: Authentication, lastUsedAt: number, now: number): Authentication {
  const pause = secondsSince({ at: lastUsedAt }, now)
  const isLongest = pause >= Math.max(NOTED_PAUSE_SECONDS, authentication.idleSeconds ?? 0)
  return isLongest ? { ...authentication, idleSeconds: pause } : authentication
}

/** Whether a session whose last sign-in is known may have had a pause to note. */
export function mayHavePaused(authentication: Pick<Authentication, 'at'>, now: number): boolean {
  return secondsSince(authentication, now) >= NOTED_PAUSE_SECONDS
}

/** The methods of a sign-in by password alone, as every sign-in was before second factors existed. */
export const byPassword = ['pwd'] as const

/** The sign-in of records from before sign-ins were stored: too old for any operation that requires a recent sign-in. */
export const UNKNOWN_AUTHENTICATION: z.output<typeof authenticationSchema> = { at: 0, methods: [...byPassword] }

/** The authenticator assurance levels of NIST SP 800-63B §4 that this service reaches, lowest first: the values of `acr`. */
export const assuranceLevels = ['aal1', 'aal2'] as const

export type AssuranceLevel = (typeof assuranceLevels)[number]

/** `aal2` for a sign-in with two factors. */
export function levelOf({ methods }: Pick<Authentication, 'methods'>): AssuranceLevel {
  return methods.includes('mfa') ? 'aal2' : 'aal1'
}
