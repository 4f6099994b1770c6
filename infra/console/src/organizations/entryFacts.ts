/** What an entry knows, in the words of a language, for the sentence about it. */
export interface EntryFacts {
  /** A value of its detail; empty where there is none. */
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
  /** How the organization pays now. */
  payment(): string
  /** The billing details that were changed, as a list; empty where they are not known. */
  fields(): string
}
