import { reasonOf } from '../core/errors.ts'
import type { Mail } from '../mail/mailer.ts'
import type { MailDeps } from './accountDeps.ts'

/** Sends a mail about something that is done: whether it can be sent changes nothing about that any more. Never fails. */
export async function notify({ mailer, logger }: Pick<MailDeps, 'mailer' | 'logger'>, mail: Mail): Promise<void> {
  await mailer.send(mail).catch((error: unknown) => logger.error('Mail not sent', { reason: reasonOf(error) }))
}
