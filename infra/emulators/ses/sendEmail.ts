import * as z from 'zod'
import type { KeptMail } from './mailbox.ts'
import { SesError } from './sesError.ts'

/** Text of a mail header: SES refuses line breaks in it. */
const header = z.string().regex(/^[^\p{Cc}]+$/u)
const content = z.object({ Data: z.string(), Charset: z.literal('UTF-8').optional() })

/** The covered part of SendEmail: a single recipient, simple content in UTF-8. */
const sendEmailRequest = z.strictObject({
  FromEmailAddress: header,
  Destination: z.strictObject({ ToAddresses: z.array(header).length(1) }),
  Content: z.strictObject({
    Simple: z.strictObject({
      Subject: content.extend({ Data: header }),
      Body: z.strictObject({ Text: content, Html: content }),
    }),
  }),
  ConfigurationSetName: z.string().min(1).optional(),
})

/** An address of seven-bit characters: SES knows no other (SES Developer Guide, quotas, "Email headers"). */
const deliverable = /^[\x21-\x7e]+@[\x21-\x7e]+$/

/**
 * Reads the body of `POST /v2/email/outbound-emails`. Source: SES API v2 Reference, SendEmail.
 * @throws SesError BadRequestException for what SES would refuse, or what this emulator does not cover
 */
export function readSendEmail(body: string): Omit<KeptMail, 'id' | 'sent_at'> {
  const parsed = sendEmailRequest.safeParse(parseJson(body))
  if (!parsed.success) throw new SesError('BadRequestException', z.prettifyError(parsed.error))
  const { FromEmailAddress: from, Destination, Content } = parsed.data
  const { Subject, Body } = Content.Simple
  const to = Destination.ToAddresses.join()
  if (!deliverable.test(to)) throw new SesError('BadRequestException', 'Local address contains control or whitespace')
  return { to, from, subject: Subject.Data, text: Body.Text.Data, html: Body.Html.Data }
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new SesError('BadRequestException', 'The body is not JSON')
  }
}
