import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { type SesServer, startSesServer } from '../../../infra/emulators/ses/startSesServer.ts'
import { createMailer } from '../../../lib/adapters/ses/mailer.ts'
import { createSesClient } from '../../../lib/adapters/ses/sesClient.ts'
import type { Logger } from '../../../lib/log/logger.ts'
import type { Mailer } from '../../../lib/mail/mailer.ts'

export const FROM = 'Console <no-reply@console.example.com>'

/** A mailer, what it has logged as errors, and how to close its client. */
interface MailerBed {
  readonly mailer: Mailer
  readonly logged: unknown[]
  destroy(): void
}

/** The service's own mailer for this endpoint. */
export function mailerAt(endpoint: string, configurationSet?: string): MailerBed {
  process.env.AWS_ACCESS_KEY_ID ??= 'local'
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local'
  const client = createSesClient({ endpoint, region: 'us-east-1' })
  const logged: unknown[] = []
  const logger: Logger = { info: () => {}, warn: () => {}, error: (...entry) => void logged.push(entry) }
  const mailer = createMailer({ client, from: FROM, configurationSet, logger })
  return { mailer, logged, destroy: () => client.destroy() }
}

/** An emulator and the service's mailer for a file of tests; the mailbox is empty before each test. */
export function useSes() {
  let running: (MailerBed & { server: SesServer }) | undefined
  const state = () => {
    if (running === undefined) throw new Error('SES is not started yet')
    return running
  }
  beforeAll(async () => {
    const server = await startSesServer()
    running = { server, ...mailerAt(server.endpoint) }
  })
  afterEach(() => {
    state().server.reset()
    state().logged.length = 0
  })
  afterAll(async () => {
    running?.destroy()
    await running?.server.close()
  })
  return { server: () => state().server, mailer: () => state().mailer, logged: () => state().logged }
}
