import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { linksIn, textOf } from '../../oauth/authorize/page.ts'
import { signInAt, VERIFIER } from '../../oauth/authorize/people.ts'
import type { Met, Visitor } from '../../oauth/authorize/visitor.ts'
import { useHostedPages } from './links/hostedPages.ts'
import { OTHER_PASSWORD, PASSWORD } from './useAccounts.ts'

const pages = useHostedPages()
const { stack, client, browser, pathOf, visit, send, fill, mailsTo, linkMailedTo, newcomer, registered, requestOf } =
  pages

const application = () => `${stack().info.base_url}/_local/console`
const resume = (request: string) => `/api/oauth/authorize?${request}`

/** Opens a mail's link in a browser, enters the password of the account where nothing else is filled in, and presses the button. */
async function follow(
  visitor: Visitor,
  email: string,
  fields: Record<string, string> = { password: PASSWORD },
): Promise<Met> {
  const link = await linkMailedTo(email)
  return send(visitor, link, await visit(visitor, link), fields)
}

/** Where the page after a mail's link leads to, for a form that was sent with this request. */
async function leadsTo(request: string): Promise<string | undefined> {
  const someUser = newcomer()
  const sent = await fill('register', someUser, browser(), request)
  expect(sent.status).toBe(200)
  return linksIn((await follow(browser(), someUser.email)).body)['Sign in']
}

async function storedLinks() {
  const documents = createDocumentClient({ endpoint: stack().info.dynamodb_endpoint, region: 'us-east-1' })
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: stack().info.tables.accounts }))
  documents.destroy()
  return Items.filter(({ sk }) => sk === 'LINK')
}

describe('A user who begins at a client', () => {
  it('registers, opens the mail in another browser, and ends at the client with a code', async () => {
    const request = requestOf({ state: 'über & mehr=1', display: 'page' })
    const someUser = newcomer()
    const here = browser()
    const signIn = await here.get(request)
    const register = linksIn(signIn.body)['Create an account'] ?? ''
    const sent = await send(here, register, await visit(here, register), someUser)
    expect(linksIn(sent.body)).toEqual({ 'Sign in': resume(request) })

    const mail = (await mailsTo(someUser.email))[0]?.text ?? ''
    expect(mail).toMatch(/\/api\/auth\/link\?purpose=verify_email&token=[\w-]{43}\n/)
    expect(mail).not.toContain('client_id')
    const there = browser()
    const done = await follow(there, someUser.email)
    expect(textOf(done.body)).toBe('Email address confirmed You can sign in now. Sign in')
    expect(linksIn(done.body)).toEqual({ 'Sign in': resume(request) })

    const signedIn = await signInAt(there, request, someUser.email, PASSWORD)
    expect(signedIn).toMatchObject({ status: 303, location: `?${request}` })
    const { location } = await there.get(request)
    const back = new URL(location ?? '')
    expect(back.origin + back.pathname).toBe(stack().info.demo.redirect_uri)
    expect(back.searchParams.get('state')).toBe('über & mehr=1')
    const { demo } = stack().info
    const answer = await client().send({
      method: 'POST',
      path: '/api/oauth/token',
      body: {
        ...{ grant_type: 'authorization_code', code: back.searchParams.get('code'), code_verifier: VERIFIER },
        ...{ client_id: demo.client_id, client_secret: demo.client_secret, redirect_uri: demo.redirect_uri },
      },
    })
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
  })

  it('gets a new password in another browser, and goes on where the old one was forgotten', async () => {
    const [{ email }, request] = [await registered(), requestOf()]
    await fill('forgot_password', { email }, browser(), request)
    const refused = await follow(browser(), email, { password: 'short' })
    expect(refused.status).toBe(422)
    const done = await follow(browser(), email, { password: OTHER_PASSWORD })
    expect(linksIn(done.body)).toEqual({ Continue: resume(request) })
  })

  it('keeps the request when a field is wrong, and when the mail is sent again', async () => {
    const [request, visitor, someUser] = [requestOf(), browser(), newcomer()]
    const refused = await fill('register', { ...someUser, username: '-' }, visitor, request)
    expect([refused.status, linksIn(refused.body)['Sign in']]).toEqual([422, resume(request)])
    const sent = await send(visitor, pathOf('register', request), refused, someUser)
    const again = await send(visitor, pathOf('resend_verification', request), sent)
    expect([again.status, textOf(again.body)]).toEqual([200, expect.stringContaining(someUser.email)])
    expect((await mailsTo(someUser.email)).map(({ subject }) => subject)).toEqual(
      Array(2).fill('Confirm your email address'),
    )
    expect(linksIn((await follow(browser(), someUser.email)).body)).toEqual({ 'Sign in': resume(request) })
  })

  it('cannot sign in before the address is confirmed, as if there were no account, and can have the mail again from there', async () => {
    const [{ email }, request, visitor] = [await registered(), requestOf(), browser()]
    const refused = await signInAt(visitor, request, email, PASSWORD)
    const unknown = await signInAt(browser(), request, newcomer().email, PASSWORD)
    expect([refused.status, unknown.status]).toEqual([400, 400])
    expect(textOf(refused.body)).toBe(textOf(unknown.body))
    expect(textOf(refused.body)).toContain('first confirm your address')
    const again = linksIn(refused.body)['Confirm your email address'] ?? ''
    expect(again).toBe(pathOf('resend_verification', request))
    expect((await send(visitor, again, await visit(visitor, again), { email })).status).toBe(200)
    const done = await follow(visitor, email)
    expect(linksIn(done.body)).toEqual({ 'Sign in': resume(request) })
    expect((await signInAt(visitor, request, email, PASSWORD)).status).toBe(303)
    expect((await visitor.get(request)).location).toContain(`${stack().info.demo.redirect_uri}?code=`)
  })
})

describe('A link that works no more', () => {
  it('leads on where it was used already, as after a double click', async () => {
    const [someUser, request] = [newcomer(), requestOf()]
    await fill('register', someUser, browser(), request)
    await follow(browser(), someUser.email)
    const link = await linkMailedTo(someUser.email)
    const opened = await visit(browser(), link)
    const pressed = await visit(browser(), link, Object.fromEntries(new URLSearchParams(link.split('?')[1])))
    for (const { status, body } of [opened, pressed]) {
      expect([status, textOf(body)]).toEqual([400, expect.stringContaining('If you used it yourself, you are done')])
      expect(linksIn(body)).toEqual({ 'Sign in': resume(request) })
    }
  })

  it.each([
    ['verify', 'register', 25],
    ['reset', 'forgot_password', 2],
  ] as const)(
    'offers another one for the same address and request once it has expired: %s',
    async (_, purpose, hours) => {
      const [someUser, request] = [newcomer(), requestOf()]
      await fill('register', someUser, browser(), request)
      if (purpose !== 'register') await fill(purpose, someUser, browser(), request)
      const link = await linkMailedTo(someUser.email)
      await pages.advance(hours * 3600)
      const visitor = browser()
      const page = await visit(visitor, link)
      expect([page.status, textOf(page.body)]).toEqual([
        400,
        expect.stringMatching(/^This link no longer works The link has expired/),
      ])
      expect(page.body).toContain(`value="${someUser.email}"`)
      const action = purpose === 'register' ? 'resend_verification' : 'forgot_password'
      const sent = await send(visitor, pathOf(action, request), page, { email: someUser.email })
      expect(sent.status).toBe(200)
      const password = purpose === 'register' ? PASSWORD : OTHER_PASSWORD
      const done = await follow(browser(), someUser.email, { password })
      const label = purpose === 'register' ? 'Sign in' : 'Continue'
      expect(linksIn(done.body)).toEqual({ [label]: resume(request) })
    },
  )

  it('offers the form where it is unknown, without an address', async () => {
    const { status, body } = await visit(browser(), '/api/auth/link?purpose=reset_password&token=unknown')
    expect(status).toBe(400)
    expect(body).toContain('name="email" type="email" value=""')
    expect(linksIn(body)).toEqual({ 'Sign in': application() })
  })
})

describe('A request to lead back to', () => {
  it('is left out where there is none: the page leads to the stage’s application', async () => {
    expect(await leadsTo('')).toBe(application())
  })

  // [threat 9]
  it.each([
    ['of an unknown client', { client_id: 'evil-client' }],
    ['with a redirect URI that is not registered', { redirect_uri: 'https://evil.example.com/' }],
    ['with a redirect URI that is a script', { redirect_uri: 'javascript:alert(1)' }],
    ['without a redirect URI', { redirect_uri: '' }],
    ['longer than 2048 characters', { state: 'x'.repeat(2048) }],
  ])('is not kept %s', async (_, change) => {
    expect(await leadsTo(requestOf(change))).toBe(application())
  })

  // [threat 9]
  it.each(['//evil.example.com', 'https://evil.example.com', '\r\nlocation: https://evil.example.com', '"><script>'])(
    'never leads elsewhere: %j',
    async (request) => {
      expect(await leadsTo(request)).toBe(application())
      const { body } = await visit(browser(), pathOf('register', request))
      for (const href of Object.values(linksIn(body))) expect(href).toMatch(/^(\/api\/oauth\/authorize\?|http:\/\/127)/)
    },
  )

  it('is kept beside the digest of the link’s token only, and is in no mail', async () => {
    const [someUser, request] = [newcomer(), requestOf({ state: 'state-to-look-for' })]
    await fill('register', someUser, browser(), request)
    const [stored] = (await storedLinks()).filter(({ email }) => email === someUser.email)
    expect(stored).toMatchObject({ request, pk: expect.stringMatching(/^LINK#[\w-]{43}$/) })
    const [mail] = await mailsTo(someUser.email)
    expect(mail?.text + (mail?.html ?? '')).not.toContain('state-to-look-for')
    const token = new URLSearchParams((await linkMailedTo(someUser.email)).split('?')[1]).get('token')
    expect(JSON.stringify(await storedLinks())).not.toContain(token)
  })

  it('cannot be given to the API: its links lead to the application', async () => {
    const body = { ...newcomer(), request: requestOf() }
    const refused = await client().send({ method: 'POST', path: '/api/auth/register', body })
    expect(refused.status).toBe(422)
    const { request: _, ...registration } = body
    expect((await client().send({ method: 'POST', path: '/api/auth/register', body: registration })).status).toBe(202)
    expect(linksIn((await follow(browser(), body.email)).body)).toEqual({ 'Sign in': application() })
  })
})

describe('The language', () => {
  const german = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' }

  it('is the browser’s, on pages and in the mails that they cause', async () => {
    const [visitor, someUser] = [browser(), newcomer()]
    const form = await visit(visitor, pathOf('register'), undefined, german)
    expect(form.body).toContain('<html lang="de">')
    expect(textOf(form.body)).toMatch(/^Konto erstellen /)
    const fields = Object.fromEntries(
      [...form.body.matchAll(/name="(csrf|purpose|request)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    )
    const sent = await visit(visitor, pathOf('register'), { ...fields, ...someUser }, german)
    expect(textOf(sent.body)).toMatch(/^Sehen Sie in Ihr Postfach /)
    expect((await mailsTo(someUser.email))[0]?.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse')
    const english = await visit(browser(), await linkMailedTo(someUser.email))
    expect(english.body).toContain('<html lang="en">')
  })

  it('is the one of ui_locales first, all the way: sign-in, form, mail, and its page in another browser', async () => {
    const request = requestOf({ ui_locales: 'de fr' })
    const visitor = browser()
    expect(textOf((await visitor.get(request)).body)).toMatch(/^Anmelden weiter zu Demo console /)
    const someUser = newcomer()
    const sent = await fill('register', someUser, visitor, request)
    expect(textOf(sent.body)).toMatch(/^Sehen Sie in Ihr Postfach /)
    const done = await follow(browser(), someUser.email)
    expect(textOf(done.body)).toBe('E\u2011Mail\u2011Adresse bestätigt Sie können sich jetzt anmelden. Anmelden')
  })

  it('of a mail that the API sends is the caller’s', async () => {
    const { email, ...rest } = newcomer()
    await fetch(`${stack().info.base_url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...german },
      body: JSON.stringify({ email, ...rest }),
    })
    expect((await mailsTo(email))[0]?.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse')
  })

  it('of an error page is the browser’s too, which says when to try again', async () => {
    const { body } = await visit(browser(), '/api/auth/link?purpose=verify_email', undefined, german)
    expect(textOf(body)).toMatch(/^Dieser Link ist unvollständig .* Console öffnen$/)
    expect(linksIn(body)).toEqual({ 'Console öffnen': application() })
  })
})
