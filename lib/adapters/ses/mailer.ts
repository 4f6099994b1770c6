import { domainToASCII } from 'node:url'
import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { CommonError, reasonOf } from '../../core/errors.ts'
import type { Logger } from '../../log/logger.ts'
import type { Mail, Mailer } from '../../mail/mailer.ts'

/** The sender, and the configuration set that reports bounces and complaints, if any. */
interface SesOptions {
  readonly client: SESv2Client
  /** An email address or `Name <address>`, of an identity that SES has verified. */
  readonly from: string
  readonly configurationSet?: string | undefined
  readonly logger: Logger
}

/** Characters that separate headers, or lines of text. */
const lineBreaks = /[\p{Cc}\p{Zl}\p{Zp}]/u
/**
 * A single email address, without the characters that could add a second address, a name, a group or a comment to a header (RFC 5322
 * section 3.2.3). The domain is letters, digits, hyphens and periods, because `domainToASCII` cuts it off at other characters.
 */
const plainAddress = /^([^\s\p{Cc}\p{Z}()<>[\]:;,\\"@]+)@([\p{L}\p{M}\p{N}.-]+)$/u

/**
 * Sends through Amazon SES, text and HTML as UTF-8. Logs each mail that SES does not take, whether or not its sender fails with it.
 * @throws RangeError for a sender with a line break in it
 */
export function createMailer({ client, from, configurationSet, logger }: SesOptions): Mailer {
  const sender = oneLine(from)

  async function deliver(to: string, { subject, text, html }: Omit<Mail, 'to'>): Promise<void> {
    const command = new SendEmailCommand({
      FromEmailAddress: sender,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: utf8(oneLine(subject)), Body: { Text: utf8(text), Html: utf8(html) } } },
      ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
    })
    try {
      await client.send(command)
    } catch (cause) {
      const reason = reasonOf(cause)
      // An address that SES cannot read. Anyone may enter such an address; it must not set off the alarm for unsent mails.
      if (reason !== 'BadRequestException') logger.error('SES call failed', { reason })
      throw new CommonError('service_unavailable', { message: 'SES did not take the mail', cause })
    }
  }

  return {
    send: async (mail) => deliver(recipient(mail.to), mail),
    async discard(mail) {
      recipient(mail.to)
      await deliver(SIMULATOR, mail)
    },
  }
}

/**
 * SES's mailbox simulator: it takes a mail like any other recipient, delivers it to no person, and counts for no quota
 * and no reputation (SES Developer Guide, "Using the mailbox simulator").
 */
const SIMULATOR = 'success@simulator.amazonses.com'

function utf8(Data: string) {
  return { Data, Charset: 'UTF-8' }
}

function oneLine(text: string): string {
  if (lineBreaks.test(text)) throw new RangeError('a line break in a header of a mail')
  return text
}

/** SES takes domains in ASCII only. */
function recipient(address: string): string {
  const [, local, domain = ''] = plainAddress.exec(address) ?? []
  const ascii = domainToASCII(domain)
  if (local === undefined || ascii === '') throw new RangeError('not one plain email address')
  return `${local}@${ascii}`
}
