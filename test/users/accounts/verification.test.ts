import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { formFields, linksIn, textOf } from '../../oauth/authorize/page.ts'
import { signInAt } from '../../oauth/authorize/people.ts'
import { useHostedPages } from './links/hostedPages.ts'
import { OTHER_PASSWORD, PASSWORD } from './useAccounts.ts'

const pages = useHostedPages()
const { browser, client, fill, linkMailedTo, mailsTo, newcomer, pathOf, requestOf, send, statusOfSignIn, visit } = pages
const signedIn = 303

/** Until the address is verified, no password signs in. */
async function isVerified(email: string, password: string): Promise<boolean> {
  return (await statusOfSignIn(email, password)) === signedIn
}

/** Registers in a new browser; returns the user, that browser and the link in the mail. */
async function registerAnew() {
  const [someUser, visitor] = [newcomer(), browser()]
  await fill('register', someUser, visitor)
  return { ...someUser, visitor, link: await linkMailedTo(someUser.email) }
}

describe('The page that verifies an address', () => {
  // [threat 15.7b]
  it('says which account it verifies, in every browser', async () => {
    const { email, username, visitor, link } = await registerAnew()
    for (const one of [visitor, browser()]) {
      const text = textOf((await visit(one, link)).body)
      expect(text).toContain(`This confirms ${email} for the account with the username ${username} .`)
      expect(text).toContain('If you didn’t create this account, close this page')
    }
  })

  it('asks nothing more of the browser that registered the account', async () => {
    const { email, visitor, link } = await registerAnew()
    const page = await visit(visitor, link)
    expect(page.body).not.toContain('type="password"')
    expect((await send(visitor, link, page)).status).toBe(200)
    expect(await isVerified(email, PASSWORD)).toBe(true)
  })

  it('signs in the browser that registered the account, and goes on without another press', async () => {
    const { visitor, link } = await registerAnew()
    const page = await visit(visitor, link)
    expect(page.body).toMatch(/<button type="submit" data-continue>/)
    const done = await send(visitor, link, page)
    expect(textOf(done.body)).toContain('Email address confirmed You are signed in. Continue')
    expect(done.body).toMatch(/<a class="button" href="[^"]+" data-continue>/)
    for (const { headers, body } of [page, done]) {
      const [, script = ''] = /<script>([^<]*data-continue[^<]*)<\/script>/.exec(body) ?? []
      const hash = createHash('sha256').update(script).digest('base64')
      expect(headers.get('content-security-policy')).toContain(`'sha256-${hash}'`)
    }
    expect((await visitor.get(requestOf())).status).toBe(303)
  })

  it('signs in no other browser, presses nothing there, and leads to the sign-in', async () => {
    const { link } = await registerAnew()
    const visitor = browser()
    const page = await visit(visitor, link)
    expect(page.body).not.toContain('data-continue')
    const done = await send(visitor, link, page, { password: PASSWORD })
    expect(done.body).not.toContain('data-continue')
    expect(linksIn(done.body)['Sign in']).toBeDefined()
    expect((await visitor.get(requestOf())).status).toBe(200)
  })

  it('signs in no one by a form of another site', async () => {
    const { email, visitor, link } = await registerAnew()
    const page = await visit(visitor, link)
    const form = { ...formFields(page.body) }
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await visit(visitor, link, form, elsewhere)).status).toBe(200)
    expect((await visitor.get(requestOf())).status).toBe(200)
    expect(await isVerified(email, PASSWORD)).toBe(true)
  })

  // A stranger registers with the address of another, and waits for its owner to press the button.
  it('does not verify the password of somebody else: without it another browser verifies nothing', async () => {
    const { email, link } = await registerAnew()
    const visitor = browser()
    const page = await visit(visitor, link)
    expect(page.body).toContain('autocomplete="current-password"')
    for (const [password, why] of [
      ['', 'Enter your password.'],
      ['a guess at it', 'Incorrect password.'],
    ] as const) {
      const refused = await send(visitor, link, page, { password })
      expect([refused.status, textOf(refused.body)]).toEqual([422, expect.stringContaining(why)])
      expect(refused.body).not.toContain(password || `value="${PASSWORD}`)
    }
    expect((await visit(visitor, link, Object.fromEntries(new URLSearchParams(link.split('?')[1])))).status).toBe(422)
    expect(await isVerified(email, PASSWORD)).toBe(false)
  })

  it('asks for the password as well where another browser asked for the mail, or the API did', async () => {
    const { email } = await registerAnew()
    const visitor = browser()
    await fill('resend_verification', { email }, visitor)
    const resent = await linkMailedTo(email)
    expect((await send(visitor, resent, await visit(visitor, resent))).status).toBe(422)
    const body = newcomer()
    await client().send({ method: 'POST', path: '/api/auth/register', body })
    const link = await linkMailedTo(body.email)
    expect((await send(visitor, link, await visit(visitor, link))).status).toBe(422)
  })

  // [threat 15.7b]
  it('asks for the password in a browser that is signed in to another account', async () => {
    const [{ link }, other] = [await registerAnew(), await pages.verified()]
    const visitor = browser()
    await signInAt(visitor, requestOf(), other.email, PASSWORD)
    expect((await send(visitor, link, await visit(visitor, link))).status).toBe(422)
  })

  it('verifies in another browser with the password of the account', async () => {
    const { email, link } = await registerAnew()
    const visitor = browser()
    const done = await send(visitor, link, await visit(visitor, link), { password: PASSWORD })
    expect([done.status, textOf(done.body)]).toEqual([200, expect.stringContaining('Email address confirmed')])
    expect(await isVerified(email, PASSWORD)).toBe(true)
  })

  // [threat 15.7b]
  it('verifies with a new password, after which the one from before is out', async () => {
    const { email, link } = await registerAnew()
    const visitor = browser()
    const page = await visit(visitor, link)
    const choose = linksIn(page.body)['Choose a new password instead'] ?? ''
    const form = await visit(visitor, choose)
    expect(textOf(form.body)).toContain('It replaces the one that the account was created with.')
    const weak = await send(visitor, link, form, { password: 'short' })
    expect([weak.status, textOf(weak.body)]).toEqual([422, expect.stringContaining('Use at least 8 characters.')])
    expect((await send(visitor, link, weak, { password: OTHER_PASSWORD })).status).toBe(200)
    expect(await isVerified(email, OTHER_PASSWORD)).toBe(true)
    expect(await statusOfSignIn(email, PASSWORD)).toBe(400)
    const subjects = (await mailsTo(email)).map(({ subject }) => subject)
    expect(subjects).toContain('Your password was changed')
  })

  it('keeps the link of a reset as it was: it asks for a new password only', async () => {
    const { email } = await pages.verified()
    const visitor = browser()
    await send(visitor, pathOf('forgot_password'), await visit(visitor, pathOf('forgot_password')), { email })
    const link = await linkMailedTo(email)
    expect((await send(visitor, link, await visit(visitor, link), { password: OTHER_PASSWORD })).status).toBe(200)
    expect(await statusOfSignIn(email, OTHER_PASSWORD)).toBe(signedIn)
  })
})
