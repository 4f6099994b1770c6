import { createMailer } from '../adapters/ses/mailer.ts'
import { createSesClient } from '../adapters/ses/sesClient.ts'
import type { Mailer } from '../mail/mailer.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'

export function mailerFromEnvironment(): Mailer {
  const { AWS_REGION, MAIL_FROM, MAIL_CONFIGURATION_SET } = environment
  const client = createSesClient({ region: AWS_REGION })
  return createMailer({ client, from: MAIL_FROM, configurationSet: MAIL_CONFIGURATION_SET, logger })
}

/** The base URL of the links in mails, for `accountLinkUrl`. */
export function accountUrlFromEnvironment(): string {
  return environment.ACCOUNT_URL
}
