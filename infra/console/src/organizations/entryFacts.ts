/** The facts of an entry, in the words of a language, for the sentence about it. */
export interface EntryFacts {
  /** A value of its detail; empty if there is none. */
  text(name: string): string
  /** A time of its detail, or the end of the period. */
  day(name: string): string
  role(name: string): string
  status(name: string): string
  /** The member or user that was changed. */
  user(): string
  /** Who was given something. */
  receiver(): string
  apiClient(): string
  product(): string
  /** Why a user canceled; empty if unknown. */
  reason(): string
  /** How the organization pays now. */
  payment(): string
  /** The changed billing details, as a list; empty if unknown. */
  fields(): string
}
