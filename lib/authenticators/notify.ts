import { reasonOf } from '../core/errors.ts'
import type { Logger } from '../log/logger.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'

/** Sends a mail about what is done. Never throws: a failure is logged and undoes nothing. */
export async function notify(
  { mailer, logger }: { readonly mailer: Mailer; readonly logger: Logger },
  mail: Mail,
): Promise<void> {
  await mailer.send(mail).catch((error: unknown) => logger.error('Mail not sent', { reason: reasonOf(error) }))
}
