import { SendEmailCommand } from '@aws-sdk/client-sesv2'
import { describe, expect, it } from '@jest/globals'
import { startSesServer } from '../../../infra/emulators/ses/startSesServer.ts'
import { createSesClient } from '../../../lib/adapters/ses/sesClient.ts'
import { mailerAt, useSes } from './sesTestBed.ts'

const ses = useSes()
const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
const signed = { authorization: 'AWS4-HMAC-SHA256 Credential=local' }
const simple = { Subject: { Data: 'S' }, Body: { Text: { Data: 'T' }, Html: { Data: 'H' } } }
const request = {
  FromEmailAddress: 'a@example.com',
  Destination: { ToAddresses: ['b@example.com'] },
  Content: { Simple: simple },
}
const send = (path: string, init: RequestInit = {}) => fetch(ses.server().endpoint + path, init)
const sendEmail = (body: unknown, headers: Record<string, string> = signed) =>
  send('/v2/email/outbound-emails', { method: 'POST', headers, body: JSON.stringify(body) })

describe('The SES emulator', () => {
  it('answers SendEmail with the id under which it keeps the mail', async () => {
    const client = createSesClient({ endpoint: ses.server().endpoint, region: 'us-east-1' })
    const { MessageId } = await client.send(new SendEmailCommand(request))
    client.destroy()
    expect(ses.server().mails()).toMatchObject([{ id: MessageId, from: 'a@example.com', text: 'T', html: 'H' }])
  })

  it.each([
    ['no recipient', { ...request, Destination: { ToAddresses: [] } }],
    ['a recipient whose local part is not ASCII', { ...request, Destination: { ToAddresses: ['ü@example.com'] } }],
    ['a recipient without a domain', { ...request, Destination: { ToAddresses: ['b'] } }],
    ['a line break in the subject', { ...request, Content: { Simple: { ...simple, Subject: { Data: 'a\nb' } } } }],
    ['a member that it does not cover', { ...request, EmailTags: [] }],
    ['no content', { ...request, Content: {} }],
  ])('refuses %s with BadRequestException', async (_, body) => {
    const response = await sendEmail(body)
    expect(response.status).toBe(400)
    expect(response.headers.get('x-amzn-errortype')).toBe('BadRequestException')
    expect(ses.server().mails()).toEqual([])
  })

  it('refuses a call that is not signed, and any other operation', async () => {
    const unsigned = await sendEmail(request, {})
    expect([unsigned.status, unsigned.headers.get('x-amzn-errortype')]).toEqual([
      403,
      'MissingAuthenticationTokenException',
    ])
    const other = await send('/v2/email/identities', { headers: signed })
    expect([other.status, other.headers.get('x-amzn-errortype')]).toEqual([404, 'UnknownOperationException'])
  })

  it('keeps the last 200 mails, newest first, and dates them by the clock it is given', async () => {
    let now = Date.UTC(2030, 0, 1)
    const server = await startSesServer({ now: async () => now })
    const { mailer, destroy } = mailerAt(server.endpoint)
    for (let number = 1; number <= 203; number += 1) {
      now += 60_000
      await mailer.send({ ...mail, subject: `Mail ${number}` })
    }
    const mails = server.mails()
    destroy()
    await server.close()
    expect(mails).toHaveLength(200)
    expect(mails[0]).toMatchObject({ subject: 'Mail 203', sent_at: '2030-01-01T03:23:00Z' })
    expect(mails.at(-1)).toMatchObject({ subject: 'Mail 4', sent_at: '2030-01-01T00:04:00Z' })
  })

  describe('Given the control paths', () => {
    it('orders faults by POST, forgets them by DELETE and refuses a malformed order with 400', async () => {
      const order = {
        method: 'POST',
        body: JSON.stringify({ times: 9, error: { type: 'NotFoundException' }, status: 404 }),
      }
      expect((await send('/_control/faults', order)).status).toBe(204)
      await expect(ses.mailer().send(mail)).rejects.toMatchObject({ cause: { name: 'NotFoundException' } })
      expect((await send('/_control/faults', { method: 'DELETE' })).status).toBe(204)
      await ses.mailer().send(mail)
      expect((await send('/_control/faults', { method: 'POST', body: '{"times":0}' })).status).toBe(400)
      expect((await send('/_control/faults', { method: 'POST', body: '{' })).status).toBe(400)
    })

    it('lists the mails by GET and deletes them by DELETE', async () => {
      await ses.mailer().send(mail)
      expect(await (await send('/_control/mails')).json()).toEqual(ses.server().mails())
      expect((await send('/_control/mails', { method: 'DELETE' })).status).toBe(204)
      expect(ses.server().mails()).toEqual([])
    })
  })
})
