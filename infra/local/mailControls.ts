import * as z from 'zod'
import { keptMail, MAILBOX_PATH } from '../emulators/ses/startSesServer.ts'
import { json, type WireAnswer } from './apiGatewayAnswer.ts'
import { mailboxHeaders, mailboxPage } from './mailboxPage.ts'

const kept = z.array(keptMail)
const TIMEOUT_MS = 5000

/**
 * The mailbox of the SES emulator at `endpoint`, this stack's or another's: `GET /_local/mail` is a page, `GET /_local/mail.json`
 * the mails, newest first, and `DELETE /_local/mail` empties it. Answers 404 where `endpoint` is not an SES emulator.
 */
export function mailControls(endpoint: string): Readonly<Record<string, () => Promise<WireAnswer>>> {
  const ask = (method: string) =>
    fetch(endpoint + MAILBOX_PATH, { method, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
  const noMailbox = json(404, { detail: `SES at ${endpoint} keeps no mailbox` })

  async function answer(show: (mails: z.infer<typeof kept>) => WireAnswer): Promise<WireAnswer> {
    const response = await ask('GET')
    const mails = kept.safeParse(await response?.json().catch(() => undefined))
    return mails.success ? show(mails.data) : noMailbox
  }

  return {
    'GET /_local/mail': () =>
      answer((mails) => ({ status: 200, headers: mailboxHeaders, body: Buffer.from(mailboxPage(mails)) })),
    'GET /_local/mail.json': () => answer((mails) => json(200, mails)),
    'DELETE /_local/mail': async () => {
      const response = await ask('DELETE')
      return response?.ok ? { status: 204, headers: {}, body: Buffer.alloc(0) } : noMailbox
    },
  }
}
