import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from '@jest/globals'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { createMailer } from '../../../lib/adapters/ses/mailer.ts'
import { createSesClient } from '../../../lib/adapters/ses/sesClient.ts'
import { FROM, mailerAt, useSes } from './sesTestBed.ts'

const ses = useSes()
const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

describe('The mailer', () => {
  it.each([
    ['umlauts', 'Grüße aus Köln, ß ÄÖÜ'],
    ['emoji of several code points', '👩🏽‍🚀 🇩🇪 ❤️'],
    ['right-to-left text and combining marks', 'مرحبا e\u0301 नमस्ते'],
    ['markup and quotes', `<b>"&amp;'</b> \\ %0d%0a`],
  ])('sends %s without changing a byte', async (_, words) => {
    const sent = { ...mail, subject: words, text: `${words}\r\n\n.\n${words}\t\n`, html: `<p>${words}</p>\n` }
    await ses.mailer().send(sent)
    expect(ses.server().mails()).toEqual([
      { ...sent, id: expect.any(String), from: FROM, sent_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
  })

  it('sends to the domain in punycode, the only form that SES takes', async () => {
    await ses.mailer().send({ ...mail, to: 'Ada.L+x@BÜCHER.example' })
    expect(ses.server().mails()).toMatchObject([{ to: 'Ada.L+x@xn--bcher-kva.example' }])
  })

  it('puts UTF-8 and the configuration set on the wire', async () => {
    const bodies: string[] = []
    const recording = createServer(async (request, response) => {
      bodies.push(`${request.method} ${request.url} ${await text(request)}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"MessageId":"1"}')
    })
    const recorder = await listenOnLoopback(recording)
    const { mailer, destroy } = mailerAt(recorder.url, 'accounts')
    await mailer.send(mail)
    destroy()
    await recorder.close()
    const utf8 = (Data: string) => ({ Data, Charset: 'UTF-8' })
    const [line = ''] = bodies
    expect(line.startsWith('POST /v2/email/outbound-emails ')).toBe(true)
    expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual({
      FromEmailAddress: FROM,
      Destination: { ToAddresses: [mail.to] },
      Content: { Simple: { Subject: utf8(mail.subject), Body: { Text: utf8(mail.text), Html: utf8(mail.html) } } },
      ConfigurationSetName: 'accounts',
    })
  })

  describe('Given an unavailable SES', () => {
    it.each(['error', 'drop_before'] as const)(
      'fails with service_unavailable after three attempts (%s)',
      async (kind) => {
        ses.server().fail({ times: 3, kind })
        await expect(ses.mailer().send(mail)).rejects.toMatchObject({ code: 'service_unavailable' })
        expect(ses.server().mails()).toEqual([])
        await ses.mailer().send(mail)
        expect(ses.server().mails()).toHaveLength(1)
      },
    )

    it('may deliver twice when the answer is lost, and never fails for that', async () => {
      ses.server().fail({ times: 1, kind: 'drop_after' })
      await ses.mailer().send(mail)
      expect(ses.server().mails()).toHaveLength(2)
    })

    it('fails at once, without a hang, when nothing listens', async () => {
      const { mailer, destroy } = mailerAt('http://127.0.0.1:1')
      const started = Date.now()
      await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'service_unavailable' })
      expect(Date.now() - started).toBeLessThan(10_000)
      destroy()
    })
  })

  describe('Given a mail to discard', () => {
    it('hands it to SES, and no mailbox gets it', async () => {
      await ses.mailer().discard(mail)
      expect(ses.server().mails()).toEqual([])
      ses.server().fail({ operation: 'SendEmail', times: 3, kind: 'drop_before' })
      await expect(ses.mailer().discard(mail)).rejects.toMatchObject({ code: 'service_unavailable' })
      await expect(ses.mailer().discard({ ...mail, to: 'Ada <ada@example.com>' })).rejects.toThrow(RangeError)
    })
  })

  describe('Given a refusal by SES', () => {
    // [catch mailer.deliver]
    it.each(['MessageRejected', 'SendingPausedException', 'LimitExceededException'])(
      'fails with service_unavailable, keeps %s as its cause and logs it, of which an alarm is made',
      async (type) => {
        ses.server().fail({ times: 3, error: { type, message: 'Email address is not verified: ada@example.com' } })
        const failure = await ses
          .mailer()
          .send(mail)
          .catch((error: unknown) => error)
        expect(failure).toMatchObject({ code: 'service_unavailable', cause: { name: type } })
        expect(String(failure)).not.toContain('ada@example.com')
        expect(ses.logged()).toEqual([['SES call failed', { reason: type }]])
      },
    )

    it('logs nothing of an address that it cannot read, with which anyone could set off the alarm', async () => {
      ses.server().fail({ times: 3, error: { type: 'BadRequestException', message: 'Local address is not ASCII' } })
      await expect(ses.mailer().send(mail)).rejects.toMatchObject({ code: 'service_unavailable' })
      expect(ses.logged()).toEqual([])
    })
  })

  describe('Given text that would become another header', () => {
    // [threat 74]
    it.each([
      ['a subject with CR LF', { subject: 'Hello\r\nBcc: eve@example.com' }],
      ['a subject with a line feed alone', { subject: 'Hello\nBcc: eve@example.com' }],
      ['a subject with NUL', { subject: 'Hello\0' }],
      ['a subject with a line separator', { subject: 'Hello\u2028Bcc: eve@example.com' }],
      ['an address with CR LF', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
      ['an address that ends with a line feed', { to: 'ada@example.com\n' }],
      ['two addresses', { to: 'ada@example.com,eve@example.com' }],
      ['two addresses with a semicolon', { to: 'ada@example.com;eve@example.com' }],
      ['an address with a name', { to: 'Eve <eve@example.com>' }],
      ['an address with a comment', { to: 'ada(x)@example.com' }],
      ['a quoted local part', { to: '"ada b"@example.com' }],
      ['a route', { to: 'ada@example.com@eve.example' }],
      ['a space', { to: 'ada @example.com' }],
      ['an encoded word for a space', { to: 'ada\u00a0@example.com' }],
      ['a domain that is cut off at a slash', { to: 'ada@example.com/eve.example' }],
      ['no domain', { to: 'ada@' }],
      ['no address', { to: '' }],
    ])('refuses %s and sends nothing', async (_, part) => {
      await expect(ses.mailer().send({ ...mail, ...part })).rejects.toThrow(RangeError)
      expect(ses.server().mails()).toEqual([])
    })

    it('refuses a sender with a line break before anything is sent', () => {
      const client = createSesClient({ endpoint: ses.server().endpoint, region: 'us-east-1' })
      const logger = { info: () => {}, warn: () => {}, error: () => {} }
      const from = 'a@example.com\nBcc: b@example.com'
      expect(() => createMailer({ client, from, logger })).toThrow(RangeError)
      client.destroy()
    })
  })
})
