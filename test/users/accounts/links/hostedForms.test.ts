import { describe, expect, it } from '@jest/globals'
import { formFields, linksIn, textOf } from '../../../oauth/authorize/page.ts'
import { signInAt } from '../../../oauth/authorize/people.ts'
import type { Met, Visitor } from '../../../oauth/authorize/visitor.ts'
import { OTHER_PASSWORD, PASSWORD } from '../useAccounts.ts'
import { useHostedPages } from './hostedPages.ts'

const pages = useHostedPages()
const { browser, pathOf, visit, fill, mailsTo, linkMailedTo, newcomer, registered, requestOf, statusOfSignIn } = pages

const checkYourEmail = 'Check your email We sent the next step to'

describe('The sign-in page', () => {
  it('links to both forms, which lead back to its request', async () => {
    const request = requestOf()
    const links = linksIn((await browser().get(request)).body)
    expect(links).toEqual({
      'Forgot password?': pathOf('forgot_password', request),
      'Create an account': pathOf('register', request),
    })
  })
})

describe('A user who forgot the password', () => {
  it('gets from the sign-in page to a new password and is signed in, without script', async () => {
    const { email } = await registered()
    const [visitor, query] = [browser(), requestOf()]
    const answer = await fill('forgot_password', { email }, visitor)
    expect([answer.status, textOf(answer.body)]).toEqual([200, expect.stringContaining(checkYourEmail)])
    const link = await linkMailedTo(email)
    const done = await pages.send(visitor, link, await visit(visitor, link), { password: OTHER_PASSWORD })
    const text = 'Password changed You are signed in with your new password. Continue'
    expect([done.status, textOf(done.body)]).toEqual([200, text])
    expect((await visitor.get(requestOf({ prompt: 'none' }))).location).toContain('code=')
    expect((await signInAt(browser(), query, email, OTHER_PASSWORD)).status).toBe(303)
    expect(await statusOfSignIn(email, PASSWORD)).toBe(400)
  })

  it('is signed in for the request that the forgotten password kept waiting, as if the password had been entered', async () => {
    const { email } = await pages.verified()
    const [visitor, request] = [browser(), requestOf({ prompt: 'login' })]
    await fill('forgot_password', { email }, browser(), request)
    const link = await linkMailedTo(email)
    await pages.send(visitor, link, await visit(visitor, link), { password: OTHER_PASSWORD })
    expect((await visitor.get(request)).location).toContain('code=')
  })

  // [threat 31.1]
  it.each([
    ['another origin', { origin: 'https://evil.example.com' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])(
    'is not signed in by a form of %s: its owner may have set the password of their own account',
    async (_, headers) => {
      const { email } = await pages.verified()
      await fill('forgot_password', { email })
      const [visitor, link] = [browser(), await linkMailedTo(email)]
      const fields = { ...formFields((await visit(visitor, link)).body), password: OTHER_PASSWORD }
      const done = await visit(visitor, link, fields, headers)
      expect([done.status, textOf(done.body)]).toEqual([
        200,
        'Password changed Sign in with your new password. Sign in',
      ])
      expect((await visitor.get(requestOf({ prompt: 'none' }))).location).toContain('error=login_required')
      expect(await statusOfSignIn(email, OTHER_PASSWORD)).toBe(303)
    },
  )

  // [threat 84]
  it('sees the same page as a stranger, byte for byte, who gets no mail', async () => {
    const [{ email }, unknown] = [await registered(), newcomer().email]
    const visitor = browser()
    const known = await fill('forgot_password', { email }, visitor)
    const stranger = await fill('forgot_password', { email: unknown }, visitor)
    expect([known.status, stranger.status]).toEqual([200, 200])
    expect(known.body.replaceAll(email, unknown)).toBe(stranger.body)
    expect((await mailsTo(email))[0]?.subject).toBe('Reset your password')
    expect(await mailsTo(unknown)).toEqual([])
  })

  it('sees the form again with the text typed when it is not an address, and no mail is sent', async () => {
    const answer = await fill('forgot_password', { email: 'no-one@"><script>' })
    expect([answer.status, textOf(answer.body)]).toEqual([
      422,
      expect.stringContaining('Enter a complete email address'),
    ])
    expect(answer.body).toContain('value="no-one@&quot;&gt;&lt;script&gt;"')
    expect(answer.body).toContain('aria-describedby="email-problem" aria-invalid="true"')
    expect(await mailsTo('no-one@"><script>')).toEqual([])
  })
})

describe('A password manager', () => {
  it('finds the form that changes the password (W3C, A Well-Known URL for Changing Passwords)', async () => {
    const visitor = browser()
    const first = await visit(visitor, '/.well-known/change-password')
    expect([first.status, first.location]).toEqual([303, pathOf('forgot_password')])
    const page = await visit(visitor, first.location ?? '')
    expect([page.status, textOf(page.body)]).toEqual([200, expect.stringMatching(/^Forgot your password|Reset/)])
    // §4: a path that does not exist must not be found, else no password manager trusts the answer.
    const missing = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
    expect((await visit(visitor, missing)).status).toBe(404)
  })
})

describe('A user without an account', () => {
  it('creates one, confirms the address, and signs in, without script', async () => {
    const [visitor, query, someUser] = [browser(), requestOf(), newcomer()]
    const answer = await fill('register', someUser, visitor)
    expect([answer.status, textOf(answer.body)]).toEqual([200, expect.stringContaining(checkYourEmail)])
    const link = await linkMailedTo(someUser.email)
    const done = await pages.send(visitor, link, await visit(visitor, link))
    expect([done.status, textOf(done.body)]).toEqual([200, expect.stringContaining('Email address confirmed')])
    expect((await visitor.get(query)).status).toBe(303)
    const elsewhere = browser()
    expect((await signInAt(elsewhere, query, someUser.email, OTHER_PASSWORD)).status).toBe(400)
    expect((await signInAt(elsewhere, query, someUser.email, PASSWORD)).status).toBe(303)
  })

  it('sees the same page for an address that has an account, whose password is unchanged; only its owner gets a notice', async () => {
    const { email } = await pages.verified()
    const [first, second] = [newcomer(), { ...newcomer(), email, password: OTHER_PASSWORD }]
    const visitor = browser()
    const [fresh, known] = [await fill('register', first, visitor), await fill('register', second, visitor)]
    expect([fresh.status, known.status]).toEqual([200, 200])
    expect(known.body.replaceAll(email, first.email)).toBe(fresh.body)
    expect((await mailsTo(email))[0]?.subject).toBe('You already have an account')
    expect(await statusOfSignIn(email, OTHER_PASSWORD)).toBe(400)
    expect(await statusOfSignIn(email, PASSWORD)).toBe(303)
  })

  it.each(['a new', 'a known'])(
    'sees with %s address alike that the username is taken, and keeps the other fields',
    async (which) => {
      const { email, username } = await pages.verified()
      const again = { ...newcomer(), username: username.toUpperCase(), ...(which === 'a known' && { email }) }
      const mailed = (await mailsTo(again.email)).length
      const { status, body } = await fill('register', again)
      expect([status, textOf(body)]).toEqual([409, expect.stringContaining('This username is taken.')])
      expect(body).toContain(`value="${again.email}"`)
      expect(body).toContain(`value="${again.username}"`)
      expect(body).not.toContain(PASSWORD)
      expect(await mailsTo(again.email)).toHaveLength(mailed)
    },
  )

  it('sees that a reserved username is taken, before any mail', async () => {
    const someUser = { ...newcomer(), username: 'support' }
    const { status, body } = await fill('register', someUser)
    expect([status, textOf(body)]).toEqual([409, expect.stringContaining('This username is taken.')])
    expect(await mailsTo(someUser.email)).toEqual([])
  })

  it('sees all problems at once, and no account is created', async () => {
    const wrong = { email: 'no-address', username: '-', password: 'password1' }
    const { status, body } = await fill('register', wrong)
    expect(status).toBe(422)
    expect([...body.matchAll(/id="(\w+)-problem" role="alert"/g)].map(([, name]) => name)).toEqual(Object.keys(wrong))
    expect([...body.matchAll(/id="(\w+)"[^>]* autofocus/g)].map(([, name]) => name)).toEqual(['email'])
    expect(body).toContain('<title>Error: Create an account')
    expect(body).toContain('This is a common password.')
    expect(body).not.toContain('password1')
    expect(await statusOfSignIn('no-address', 'password1')).toBe(400)
  })
})

describe.each(['forgot_password', 'register', 'resend_verification'] as const)('The form %s', (purpose) => {
  const target = () => ({ ...newcomer(), purpose })

  // [threat 35]
  it('is refused from another site, from another browser, and without a cookie', async () => {
    const [visitor, other] = [browser(), browser()]
    const [mine, theirs] = [await visit(visitor, pathOf(purpose)), await visit(other, pathOf(purpose))]
    const filled = target()
    const send = (from: Visitor, page: Met, headers = {}) =>
      visit(from, pathOf(purpose), { ...formFields(page.body), ...filled }, headers)
    const refused = [
      await send(visitor, mine, { origin: 'https://other.example.com' }),
      await send(visitor, mine, { 'sec-fetch-site': 'cross-site' }),
      await send(visitor, theirs),
      await send(browser(), mine),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(refused[0]?.body).toContain(`href="?purpose=${purpose}"`)
    expect(await mailsTo(filled.email)).toEqual([])
    expect((await send(visitor, mine)).status).toBe(200)
  })

  it('sets the cookie of a browser once', async () => {
    const visitor = browser()
    const [first, second] = [await visit(visitor, pathOf(purpose)), await visit(visitor, pathOf(purpose))]
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
    ])
    expect(second.headers.getSetCookie()).toEqual([])
    expect(second.body).toBe(first.body)
  })

  it('answers 429 with Retry-After, as a page, after too many for one address, known or not', async () => {
    const visitor = browser()
    const page = await visit(visitor, pathOf(purpose))
    const { email } = newcomer()
    const answers: Met[] = []
    while (answers.at(-1)?.status !== 429 && answers.length < 20) {
      const filled = { ...newcomer(), ...formFields(page.body), email }
      answers.push(await visit(visitor, pathOf(purpose), filled))
    }
    const last = answers.at(-1)
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429])
    expect(last?.status).toBe(429)
    expect(last?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(last?.headers.get('content-type')).toContain('text/html')
    expect(textOf(last?.body ?? '')).toMatch(/^Too many attempts .* Try again in \d+ \w+\. Try again$/)
    expect(linksIn(last?.body ?? '')).toEqual({ 'Try again': `?purpose=${purpose}` })
  })
})
