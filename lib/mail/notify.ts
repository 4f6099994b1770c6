import { reasonOf } from '../core/errors.ts'
import type { Logger } from '../log/logger.ts'
import type { Mail, Mailer } from './mailer.ts'

/**
 * Sends a mail about a completed change; none if the promised mail is undefined. Never throws: a failure to write or send the mail is
 * logged, and undoes nothing.
 */
export async function notify(
  { mailer, logger }: { readonly mailer: Pick<Mailer, 'send'>; readonly logger: Pick<Logger, 'error'> },
  mail: Mail | Promise<Mail | undefined>,
): Promise<void> {
  try {
    const written = await mail
    if (written !== undefined) await mailer.send(written)
  } catch (error) {
    logger.error('Mail not sent', { reason: reasonOf(error) })
  }
}
