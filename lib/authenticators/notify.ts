import { reasonOf } from '../core/errors.ts'
import type { Logger } from '../log/logger.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'

/**
 * Sends a mail about what is done; none where the promised one is undefined. Never throws: a failure, of what the mail is written from too, is
 * logged and undoes nothing.
 */
export async function notify(
  { mailer, logger }: { readonly mailer: Mailer; readonly logger: Logger },
  mail: Mail | Promise<Mail | undefined>,
): Promise<void> {
  try {
    const written = await mail
    if (written !== undefined) await mailer.send(written)
  } catch (error) {
    logger.error('Mail not sent', { reason: reasonOf(error) })
  }
}
