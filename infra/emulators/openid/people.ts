/** A person with an account at the emulated provider. */
export interface EmulatedPerson {
  readonly subject: string
  readonly name: string
  readonly email: string
  readonly isEmailVerified: boolean
  /** Shows a second factor there. */
  readonly hasTwoFactors?: boolean
}
