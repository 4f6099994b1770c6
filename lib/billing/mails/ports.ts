import type { MoneyMail } from '../slot/moneyMail.ts'

/** A stored mail by its name. */
export type MoneyMailName = Pick<MoneyMail, 'organizationId' | 'id'>

/**
 * What came of claiming a mail. `claimed`: this run alone may send it. `cut_off`: a run that claimed it never said what became of it, so it may
 * have been sent. `taken`: another run has it, or it is gone.
 */
export type MoneyMailClaim =
  | { kind: 'claimed'; mail: MoneyMail; attempts: number }
  | { kind: 'cut_off'; mail: MoneyMail }
  | { kind: 'taken' }

/** The mails of money that are still to be sent. Every method is a single call to the store. Throws CommonError `service_unavailable`. */
export interface MoneyMails {
  /** The mails that are due at `now` (Unix milliseconds), the earliest first. Consistent. */
  listDue(now: number): Promise<MoneyMailName[]>
  /** Claims a mail that is due, and counts the attempt. Until `until` (Unix milliseconds) no other run claims it. */
  claim(name: MoneyMailName, times: { now: number; until: number }): Promise<MoneyMailClaim>
  /** Gives a claimed mail back, certainly not sent. It is due again at `at` (Unix milliseconds). */
  release(name: MoneyMailName, at: number): Promise<void>
  /** Forgets a mail: it was sent, or never will be. */
  remove(name: MoneyMailName): Promise<void>
}
