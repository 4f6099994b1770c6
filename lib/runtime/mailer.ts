import { createMailer } from '../adapters/ses/mailer.ts'
import { createSesClient } from '../adapters/ses/sesClient.ts'
import type { Mailer } from '../mail/mailer.ts'
import { environment, readEnvironment } from './environment.ts'
import { traced } from './tracing.ts'

/** Mail through SES. Throws z.ZodError where the environment does not name the sender. */
export function mailerFromEnvironment(): Mailer {
  const { AWS_REGION, MAIL_FROM, MAIL_CONFIGURATION_SET } = readEnvironment(
    environment.pick({ AWS_REGION: true, MAIL_FROM: true, MAIL_CONFIGURATION_SET: true }),
  )
  const client = traced(createSesClient({ region: AWS_REGION }))
  return createMailer({ client, from: MAIL_FROM, configurationSet: MAIL_CONFIGURATION_SET })
}

/** The base URL of the links in mails, for `accountLinkUrl`. Throws z.ZodError where the environment does not hold it. */
export function accountUrlFromEnvironment(): string {
  return readEnvironment(environment.pick({ ACCOUNT_URL: true })).ACCOUNT_URL
}
