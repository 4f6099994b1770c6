import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { type SesServer, startSesServer } from '../../infra/emulators/ses/startSesServer.ts'
import { createMailer } from '../../lib/adapters/ses/mailer.ts'
import { createSesClient } from '../../lib/adapters/ses/sesClient.ts'
import type { Mailer } from '../../lib/mail/mailer.ts'

export const FROM = 'Console <no-reply@console.example.com>'

/** The service's own mailer for this endpoint, and how to close its client. */
export function mailerAt(endpoint: string, configurationSet?: string): { mailer: Mailer; destroy(): void } {
  process.env.AWS_ACCESS_KEY_ID ??= 'local'
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local'
  const client = createSesClient({ endpoint, region: 'us-east-1' })
  return { mailer: createMailer({ client, from: FROM, configurationSet }), destroy: () => client.destroy() }
}

/** An emulator and the service's mailer for a file of tests; the mailbox is empty before each test. */
export function useSes(): { server: () => SesServer; mailer: () => Mailer } {
  let running: { server: SesServer; mailer: Mailer; destroy(): void } | undefined
  const state = () => {
    if (running === undefined) throw new Error('SES is not started yet')
    return running
  }
  beforeAll(async () => {
    const server = await startSesServer()
    running = { server, ...mailerAt(server.endpoint) }
  })
  afterEach(() => state().server.reset())
  afterAll(async () => {
    running?.destroy()
    await running?.server.close()
  })
  return { server: () => state().server, mailer: () => state().mailer }
}
