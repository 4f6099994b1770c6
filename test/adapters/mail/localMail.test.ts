import { afterEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { mailControls } from '../../../infra/local/mailbox/mailControls.ts'
import { startStack } from '../../../infra/local/stack.ts'
import { accountUrlFromEnvironment, mailerFromEnvironment } from '../../../lib/runtime/mailer.ts'
import { isListening } from '../../infra/local/support/childStack.ts'
import { createEmulator } from '../../support/emulator.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'

const mail = { to: 'ada@example.com', subject: 'Grüße <b>', text: 'Hello\n<i>', html: '<p title="x">Hello</p>' }
const mailsSchema = z.array(z.looseObject({ id: z.string(), to: z.string(), subject: z.string(), sent_at: z.string() }))

const stack = await openLocalStack()
const mailer = mailerFromEnvironment()
afterEach(() => empty())

const ask = (path: string, method = 'GET') => fetch(`${stack.info.base_url}/_local/${path}`, { method })
const empty = () => ask('mail', 'DELETE')
const mails = async () => mailsSchema.parse(await (await ask('mail.json')).json())

describe('The local stack', () => {
  it('gives the functions a mailer, and links that begin at its own API', async () => {
    await mailer.send(mail)
    expect(await mails()).toEqual([
      { ...mail, id: expect.any(String), from: 'Console <no-reply@console.example.com>', sent_at: expect.any(String) },
    ])
    expect(accountUrlFromEnvironment()).toBe(stack.info.base_url)
    expect(stack.info.mail.page).toBe(`${stack.info.base_url}/_local/mail`)
  })

  it('dates mails by the clock of the service', async () => {
    await mailer.send(mail)
    await createEmulator(stack.info.stripe.api_base).advance(86_400)
    await mailer.send(mail)
    const [later = Number.NaN, earlier] = (await mails()).map(({ sent_at }) => Date.parse(sent_at))
    expect(later - (earlier ?? 0)).toBeGreaterThanOrEqual(86_400_000)
    expect(later - (earlier ?? 0)).toBeLessThan(86_410_000)
  })

  describe('GET /_local/mail', () => {
    it('lists the mails newest first, escaped, and runs only its own script', async () => {
      await mailer.send({ ...mail, subject: 'First' })
      await mailer.send(mail)
      const response = await ask('mail')
      const page = await response.text()
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*script-src 'self'/)
      expect(page.indexOf('Grüße &lt;b&gt;')).toBeLessThan(page.indexOf('First'))
      expect(page).not.toMatch(/<script>|allow-scripts|allow-same-origin|<i>/)
      expect(page.match(/<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/g)).toHaveLength(1)
    })

    it('opens the newest mail, or the one asked for', async () => {
      await mailer.send({ ...mail, to: 'older@example.com' })
      await mailer.send(mail)
      const older = (await mails()).find(({ to }) => to === 'older@example.com')?.id
      expect(await (await ask('mail')).text()).toContain(`<dd>${mail.to}</dd>`)
      expect(await (await ask(`mail?open=${older}`)).text()).toContain('<dd>older@example.com</dd>')
    })

    it('answers 304 while there is no other mail', async () => {
      await mailer.send(mail)
      const etag = (await ask('mail')).headers.get('etag') ?? ''
      const again = () => fetch(`${stack.info.base_url}/_local/mail`, { headers: { 'if-none-match': etag } })
      expect((await again()).status).toBe(304)
      await mailer.send(mail)
      expect((await again()).status).toBe(200)
    })
  })

  describe('GET /_local/mail/html', () => {
    it('answers the HTML of a mail, whose links open in another tab, and allows it nothing', async () => {
      await mailer.send({ ...mail, html: '<html><head></head><body><p>Hello</p></body></html>' })
      const [kept] = await mails()
      const response = await ask(`mail/html?id=${kept?.id}`)
      expect(await response.text()).toBe('<html><head><base target="_blank"></head><body><p>Hello</p></body></html>')
      expect(response.headers.get('content-security-policy')).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
      )
    })

    it('answers 404 for a mail that it does not keep', async () => {
      for (const query of ['', '?id=unknown']) expect((await ask(`mail/html${query}`)).status).toBe(404)
    })
  })

  describe('DELETE /_local/mail', () => {
    it('empties the mailbox', async () => {
      await mailer.send(mail)
      expect((await empty()).status).toBe(204)
      expect(await mails()).toEqual([])
      expect(await (await ask('mail')).text()).toContain('No mail yet.')
    })

    it('deletes the one that is named', async () => {
      await mailer.send(mail)
      await mailer.send({ ...mail, subject: 'Kept' })
      const [, first] = await mails()
      expect((await ask(`mail?id=${first?.id}`, 'DELETE')).status).toBe(204)
      expect(await mails()).toMatchObject([{ subject: 'Kept' }])
      expect((await ask(`mail?id=${first?.id}`, 'DELETE')).status).toBe(404)
    })
  })
})

/** A control of a stack whose SES is at `endpoint`. */
async function controlsAt(endpoint: string, control: string) {
  const [method = '', url = ''] = control.split(' ')
  const controls = mailControls({ ...stack.info, mail: { ...stack.info.mail, endpoint } })
  const request = { method, url, headers: [], body: Buffer.alloc(0), sourceIp: '127.0.0.1', time: 0, requestId: '' }
  return controls[control]?.(request)
}

describe('The mailbox of another SES', () => {
  it('is shown if it is an emulator, so that stacks that share it show the same mails', async () => {
    await mailer.send(mail)
    const shown = await controlsAt(stack.info.mail.endpoint, 'GET /_local/mail.json')
    expect(JSON.parse(String(shown?.body))).toMatchObject([{ subject: mail.subject }])
  })

  it.each(['GET /_local/mail', 'GET /_local/mail.json', 'DELETE /_local/mail'])(
    'answers 404 to %s if it keeps no mails, or is unavailable',
    async (control) => {
      for (const endpoint of [stack.info.kms_endpoint, 'http://127.0.0.1:1']) {
        expect((await controlsAt(endpoint, control))?.status).toBe(404)
      }
    },
  )
})

describe('Another stack', () => {
  const startAnother = (env: Record<string, string>) =>
    startStack({
      quiet: true,
      schedules: false,
      env: {
        AWS_ENDPOINT_URL_DYNAMODB: stack.info.dynamodb_endpoint,
        AWS_ENDPOINT_URL_KMS: stack.info.kms_endpoint,
        STRIPE_API_BASE: stack.info.stripe.api_base,
        ...env,
      },
    })

  it('uses the given SES, and does not stop it', async () => {
    const another = await startAnother({ AWS_ENDPOINT_URL_SESV2: `${stack.info.mail.endpoint}/` })
    await another.close()
    expect(another.info.mail.endpoint).toBe(stack.info.mail.endpoint)
    expect(await isListening(stack.info.mail.endpoint)).toBe(true)
  })

  it('starts an emulator of its own without one, and leaves none behind', async () => {
    const another = await startAnother({ AWS_ENDPOINT_URL_SESV2: '' })
    const listened = await isListening(another.info.mail.endpoint)
    await another.close()
    expect(another.info.mail.endpoint).not.toBe(stack.info.mail.endpoint)
    expect([listened, await isListening(another.info.mail.endpoint)]).toEqual([true, false])
  })
})
