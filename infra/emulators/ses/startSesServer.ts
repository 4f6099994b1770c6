import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import { listenOnLoopback } from '../../listenOnLoopback.ts'
import { createWireFaults, faultAnswer, type WireEmulator, wireFaultSchema } from '../wireFaults.ts'
import { createMailbox, type KeptMail, keptMail, type MailSummary, mailSummary } from './mailbox.ts'

export { type KeptMail, keptMail, type MailSummary, mailSummary }

/** The path of the mailbox, beside the API of SES. */
export const MAILBOX_PATH = '/_control/mails'
/** The path of the list without content. */
export const SUMMARIES_PATH = '/_control/summaries'
const FAULTS_PATH = '/_control/faults'
/** The recipient of the mailbox simulator who takes every mail, and has no mailbox. */
const SIMULATOR = 'success@simulator.amazonses.com'
const SEND_PATH = '/v2/email/outbound-emails'

/** The port and the clock of the emulator. */
interface SesServerOptions {
  /** A free port when left out. */
  readonly port?: number
  /** Dates the mails, in Unix milliseconds; the machine's clock if left out. */
  readonly now?: () => Promise<number>
}

/** A running emulator for Amazon SES. */
export interface SesServer extends WireEmulator {
  /** Every mail kept, newest first, as `GET /_control/mails` returns it. */
  mails(): readonly KeptMail[]
  /** Clears faults and mails, as `DELETE` of both control paths does. */
  reset(): void
}

function send(response: ServerResponse, status: number, body: unknown, type?: string): void {
  const headers = { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() }
  response.writeHead(status, { ...headers, ...(type !== undefined && { 'x-amzn-errortype': type }) })
  response.end(JSON.stringify(body))
}

/**
 * Starts the emulator on 127.0.0.1: SendEmail of SES's REST protocol, which keeps mails instead of delivering them; `GET` and `DELETE
 * /_control/mails`, or `/_control/mails/<id>` for a single mail; `GET /_control/summaries`, the list without their content; `POST` and
 * `DELETE /_control/faults`, as those of the KMS emulator. A signature is asked for, as AWS does, but not verified. Rejects when the port
 * is taken.
 */
export async function startSesServer({ port, now }: SesServerOptions = {}): Promise<SesServer> {
  const mailbox = createMailbox(now ?? (async () => Date.now()))
  const faults = createWireFaults()

  async function sendEmail(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) {
      throw new SesError('MissingAuthenticationTokenException', 'Missing Authentication Token')
    }
    const fault = faults.take('SendEmail')
    if (fault?.kind === 'drop_before') return void request.socket.destroy()
    if (fault?.kind === 'error') {
      const { status, body: error } = faultAnswer(fault)
      return send(response, status, JSON.parse(error))
    }
    const mail = readSendEmail(body)
    const MessageId = mail.to === SIMULATOR ? randomUUID() : await mailbox.take(mail)
    if (fault?.kind === 'drop_after') return void request.socket.destroy()
    send(response, 200, { MessageId })
  }

  /** Reads or deletes a mail. */
  function routeMail(method: string | undefined, id: string, response: ServerResponse): void {
    const mail = mailbox.find(id)
    if (mail === undefined) send(response, 404, { message: 'The mailbox has no such mail' })
    else if (method === 'GET') send(response, 200, mail)
    else if (method === 'DELETE' && mailbox.remove(id)) response.writeHead(204).end()
    else send(response, 405, { message: 'GET or DELETE' })
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    switch (`${request.method} ${request.url}`) {
      case `POST ${SEND_PATH}`:
        return sendEmail(request, response, body)
      case `GET ${MAILBOX_PATH}`:
        return send(response, 200, mailbox.list())
      case `DELETE ${MAILBOX_PATH}`:
        mailbox.clear()
        return void response.writeHead(204).end()
      case `GET ${SUMMARIES_PATH}`:
        return send(response, 200, mailbox.summaries())
      case `POST ${FAULTS_PATH}`:
        faults.fail(wireFaultSchema.parse(JSON.parse(body)))
        return void response.writeHead(204).end()
      case `DELETE ${FAULTS_PATH}`:
        faults.reset()
        return void response.writeHead(204).end()
      default:
        if (request.url?.startsWith(`${MAILBOX_PATH}/`))
          return routeMail(request.method, request.url.slice(MAILBOX_PATH.length + 1), response)
        throw new SesError('UnknownOperationException', 'The emulator knows SendEmail only')
    }
  }

  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      if (error instanceof SesError) send(response, error.status, { message: error.message }, error.type)
      // A malformed fault order is answered; anything else here means that the connection is gone.
      else if (error instanceof z.ZodError || error instanceof SyntaxError)
        send(response, 400, { message: error.message })
      else request.socket.destroy()
    })
  })
  const { url, close } = await listenOnLoopback(server, port)

  return {
    endpoint: url,
    fail: faults.fail,
    mails: mailbox.list,
    reset() {
      faults.reset()
      mailbox.clear()
    },
    close,
  }
}

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
function readSendEmail(body: string): Omit<KeptMail, 'id' | 'sent_at'> {
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

/** The errors that the emulator answers with. Any other error of SES can be injected as a fault. Source: SES API v2 Reference. */
const statuses = {
  BadRequestException: 400,
  MissingAuthenticationTokenException: 403,
  UnknownOperationException: 404,
} as const

/** A refusal by the name that AWS gives it. */
class SesError extends Error {
  readonly type: keyof typeof statuses

  constructor(type: keyof typeof statuses, message: string) {
    super(message)
    this.type = type
  }

  get status(): number {
    return statuses[this.type]
  }
}
