import * as z from 'zod/mini'

/**
 * How a user proved who they are, in the words of RFC 8176 §2: a password (`pwd`), a one-time password or a recovery code (`otp`), a
 * passkey that stays on its device (`hwk`) or that is synchronized (`swk`), with a check of its user (`user`). `mfa` is beside them where
 * these are two factors: a passkey that checked its user is two by itself.
 */
export const authenticationMethodSchema = z.enum(['pwd', 'otp', 'hwk', 'swk', 'user', 'mfa'])

export type AuthenticationMethod = z.output<typeof authenticationMethodSchema>

/** One sign-in: when it took place, in Unix milliseconds, and by what. */
export const authenticationSchema = z.object({ at: z.int(), methods: z.array(authenticationMethodSchema) })

export interface Authentication {
  /** Unix milliseconds. */
  readonly at: number
  readonly methods: readonly AuthenticationMethod[]
}

/**
 * Whole seconds since a sign-in, as `max_age` counts them: from its second, which is all that the claim `auth_time` has. So the age of a
 * session and that of its tokens are never different.
 * @param now Unix milliseconds
 */
export function secondsSince({ at }: Pick<Authentication, 'at'>, now: number): number {
  return Math.floor(now / 1000) - Math.floor(at / 1000)
}

/** By a password alone, as every sign-in was before there were second factors. */
export const byPassword = ['pwd'] as const

/** The sign-in behind what was stored before sign-ins were: too long ago for anything that asks for a recent one. */
export const UNKNOWN_AUTHENTICATION: z.output<typeof authenticationSchema> = { at: 0, methods: [...byPassword] }

/** The authenticator assurance levels of NIST SP 800-63B §4 that are reached here, lower first: the values of `acr`. */
export const assuranceLevels = ['aal1', 'aal2'] as const

export type AssuranceLevel = (typeof assuranceLevels)[number]

/** `aal2` for a sign-in with two factors. */
export function levelOf({ methods }: Pick<Authentication, 'methods'>): AssuranceLevel {
  return methods.includes('mfa') ? 'aal2' : 'aal1'
}
