import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { toRfc3339 } from '../../../lib/core/clock.ts'

/** A mail as the mailbox keeps it; `sent_at` is RFC 3339 in UTC, by the clock of the service. */
export const keptMail = z.object({
  id: z.string(),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sent_at: z.string(),
})
export type KeptMail = z.infer<typeof keptMail>

/** A mail without its content, for lists. */
export const mailSummary = keptMail.omit({ text: true, html: true })
export type MailSummary = z.infer<typeof mailSummary>

const CAPACITY = 200

/** Keeps the last 200 mails in memory instead of delivering them. `now` gives Unix milliseconds. */
export function createMailbox(now: () => Promise<number>) {
  const mails: KeptMail[] = []
  return {
    /** Stores a mail and returns its id; drops the oldest beyond the capacity. */
    async take(mail: Omit<KeptMail, 'id' | 'sent_at'>): Promise<string> {
      const id = randomUUID()
      mails.unshift({ id, ...mail, sent_at: toRfc3339(await now()) })
      mails.length = Math.min(mails.length, CAPACITY)
      return id
    },
    /** Every mail kept, newest first. */
    list: (): readonly KeptMail[] => [...mails],
    /** The same without their content. */
    summaries: (): readonly MailSummary[] => mails.map((mail) => mailSummary.parse(mail)),
    /** Returns undefined if the mail is not kept. */
    find: (id: string): KeptMail | undefined => mails.find((mail) => mail.id === id),
    /** Deletes a mail. Returns false if it was not kept. */
    remove(id: string): boolean {
      const at = mails.findIndex((mail) => mail.id === id)
      if (at !== -1) mails.splice(at, 1)
      return at !== -1
    },
    clear(): void {
      mails.length = 0
    },
  }
}
