import { describe, expect, it } from '@jest/globals'
import { exchangeOf, queryOf, registerClient, responseIn, signInAt } from '../../../oauth/authorize/people.ts'
import { Visitor } from '../../../oauth/authorize/visitor.ts'
import { requestToken, tokensIn } from '../../../oauth/token/tokenRequests.ts'
import { atOnce, OTHER_PASSWORD, oneWinner, PASSWORD, tokenIn, useAccounts } from '../useAccounts.ts'

const { stack, mailbox, post, request, person, stored, newEmail, mailsTo, tokenMailedTo, trySignIn, submit } =
  useAccounts()

/** Opens the link of the newest mail to an address. */
async function open(address: string) {
  const url = new URL(/https?:\/\/\S+/.exec(mailsTo(address)[0]?.text ?? '')?.[0] ?? '')
  expect(url.origin).toBe(stack().baseUrl)
  return request(url.pathname + url.search, {})
}

const dead = 'This link no longer works'

async function unverified() {
  const someUser = await person({ isVerified: false })
  await post('/api/auth/verify/request', { email: someUser.email })
  return { ...someUser, token: tokenMailedTo(someUser.email) }
}

async function forgetful() {
  const someUser = await person()
  await post('/api/auth/password/forgot', { email: someUser.email })
  return { ...someUser, token: tokenMailedTo(someUser.email) }
}

describe('GET /api/auth/link', () => {
  // [asvs 3.4.5 4.1.1 14.3.2]
  it('answers HTML with headers against framing, caching and referrers', async () => {
    const [someUser, to] = [await person(), newEmail()]
    const { token } = await someUser.signIn()
    await post('/api/users/me/email/change', { email: to, current_password: PASSWORD }, token)
    const { status, headers, text } = await open(to)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    const policy = (headers['content-security-policy'] ?? '').split('; ')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"]),
    )
    expect(headers['content-security-policy']).not.toMatch(/unsafe/)
    expect(text).not.toMatch(/\son\w+=|javascript:/i)
    expect(text).toMatch(
      /<form method="post" action="\/api\/auth\/link\?purpose=change_email&amp;token=[\w-]{43}" novalidate>/,
    )
  })

  // [asvs 3.5.3] [threat 38]
  it('does not use the link, however often it is opened', async () => {
    const { email, userId, token } = await unverified()
    for (let visit = 0; visit < 3; visit += 1) expect((await open(email)).status).toBe(200)
    expect(await stored(userId)).toMatchObject({ isVerified: false })
    expect((await submit({ purpose: 'verify_email', token, password: PASSWORD })).status).toBe(200)
  })

  // [threat 28]
  it('answers 400 with the reason for a link that is used, expired, of another purpose, or incomplete', async () => {
    const { email, token } = await unverified()
    const page = (query: string) => request(`/api/auth/link?${query}`, {})
    expect(await page(`purpose=reset_password&token=${token}`)).toMatchObject({ status: 400 })
    await submit({ purpose: 'verify_email', token, password: PASSWORD })
    const used = await open(email)
    expect([used.status, used.text.includes(dead)]).toEqual([400, true])
    const forgot = await forgetful()
    stack().advance(3602)
    expect((await open(forgot.email)).text).toContain(dead)
    for (const query of [
      '',
      'purpose=verify_email',
      'purpose=other&token=x',
      `purpose=verify_email&token=${'x'.repeat(256)}`,
    ]) {
      const answer = await page(query)
      expect([answer.status, answer.text.includes('This link is incomplete')]).toEqual([400, true])
    }
  })

  it('escapes the values of the query', async () => {
    const markup = '"><script>alert(1)</script>'
    const answer = await request(`/api/auth/link?purpose=register&request=${encodeURIComponent(markup)}`, {})
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('<script>alert')
    expect(answer.text).toContain('&quot;&gt;&lt;script&gt;')
  })
})

describe('POST /api/auth/link', () => {
  it('verifies an address', async () => {
    const { userId, token } = await unverified()
    const answer = await submit({ purpose: 'verify_email', token, password: PASSWORD })
    expect([answer.status, answer.text.includes('Email address confirmed')]).toEqual([200, true])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(await stored(userId)).toMatchObject({ isVerified: true })
  })

  it('answers 200 to one of many presses at once, and 400 to the others', async () => {
    const { token, userId } = await forgetful()
    const form = { purpose: 'reset_password', token, password: OTHER_PASSWORD }
    expect(await atOnce(() => submit(form))).toEqual(oneWinner(200, 400))
    expect(await stored(userId)).toMatchObject({ securityRev: 1 })
  })

  // [catch handler.useLink]
  it('asks again for a password that is too short or too common, and keeps the link valid', async () => {
    const { email, token, userId } = await forgetful()
    for (const [password, reason] of [
      ['short', 'Use at least 8 characters.'],
      ['password1', 'This is a common password.'],
      [email, 'Your name, your address'],
    ] as const) {
      const answer = await submit({ purpose: 'reset_password', token, password })
      expect([answer.status, answer.text.includes(reason), answer.text.includes(token)]).toEqual([422, true, true])
      expect(answer.text).toContain('aria-invalid="true"')
      expect(answer.text).not.toContain(`"${password}"`)
    }
    expect((await submit({ purpose: 'reset_password', token, password: OTHER_PASSWORD })).status).toBe(200)
    expect(await trySignIn(email, OTHER_PASSWORD)).toMatchObject({ id: userId })
  })

  it('changes an email address, or says that another account has it', async () => {
    const [someUser, to] = [await person(), newEmail()]
    const { token } = await someUser.signIn()
    await post('/api/users/me/email/change', { email: to, current_password: PASSWORD }, token)
    expect((await open(to)).text).toContain('Confirm your new email address')
    const form = { purpose: 'change_email', token: tokenMailedTo(to), password: PASSWORD }
    const rival = await person({ email: to })
    const refused = await submit(form)
    expect([refused.status, refused.text.includes('This email address is taken')]).toEqual([409, true])
    expect(await stored(rival.userId)).toMatchObject({ email: to })
    expect(await stored(someUser.userId)).toMatchObject({ email: someUser.email })
  })

  it('asks for the account’s password before a new address counts, and says nothing of the account', async () => {
    const [someUser, to] = [await person(), newEmail()]
    const { token: accessToken } = await someUser.signIn()
    await post('/api/users/me/email/change', { email: to, current_password: PASSWORD }, accessToken)
    const page = await open(to)
    expect(page.text).toContain('type="password"')
    for (const known of [someUser.email, someUser.username]) expect(page.text).not.toContain(known)
    const form = { purpose: 'change_email', token: tokenMailedTo(to) }
    for (const fields of [{}, { password: OTHER_PASSWORD }]) {
      expect((await submit({ ...form, ...fields })).status).toBe(422)
      expect(await stored(someUser.userId)).toMatchObject({ email: someUser.email })
    }
    expect((await submit({ ...form, password: PASSWORD })).status).toBe(200)
    expect(await stored(someUser.userId)).toMatchObject({ email: to })
  })

  it('asks for no password in the browser session that asked for the new address, only in that', async () => {
    const [someUser, to] = [await person(), newEmail()]
    const client = await registerClient(stack(), { firstParty: true })
    const [visitor, other] = [new Visitor(stack().baseUrl), new Visitor(stack().baseUrl)]
    await signInAt(visitor, queryOf(client), someUser.email, PASSWORD)
    await signInAt(other, queryOf(client), someUser.email, PASSWORD)
    const { code = '' } = responseIn(await visitor.get(queryOf(client)))
    const tokens = tokensIn(await requestToken(stack(), exchangeOf(client, code)))
    await post('/api/users/me/email/change', { email: to, current_password: PASSWORD }, tokens.access_token)
    const query = `purpose=change_email&token=${tokenMailedTo(to)}`
    const page = (headers: Record<string, string>) => request(`/api/auth/link?${query}`, { headers })
    expect((await page({ ...other.cookieHeader })).text).toContain('type="password"')
    expect((await page({ ...visitor.cookieHeader })).text).not.toContain('type="password"')
    const press = (headers: Record<string, string>) =>
      request('/api/auth/link', { method: 'POST', headers, body: new URLSearchParams(query) })
    expect((await press({ ...other.cookieHeader })).status).toBe(422)
    expect((await press({ ...visitor.cookieHeader })).status).toBe(200)
    expect(await stored(someUser.userId)).toMatchObject({ email: to })
  })

  it.each([
    ['nothing', {}],
    ['no token', { purpose: 'verify_email' }],
    ['an unknown purpose', { purpose: 'other', token: 'x' }],
  ])('answers 400 to a form with %s', async (_, fields) => {
    const answer = await submit(fields)
    expect([answer.status, answer.text.includes('This link is incomplete')]).toEqual([400, true])
  })

  it('answers 400 to a dead link and to JSON', async () => {
    const answer = await submit({ purpose: 'verify_email', token: 'x' })
    expect([answer.status, answer.text.includes(dead)]).toEqual([400, true])
    expect((await post('/api/auth/link', { purpose: 'verify_email', token: 'x' })).status).toBe(400)
  })

  // [asvs 16.2.5]
  it('leaves no token and no password in the log', async () => {
    const { token } = await forgetful()
    await submit({ purpose: 'reset_password', token, password: OTHER_PASSWORD })
    await submit({ purpose: 'reset_password', token, password: OTHER_PASSWORD })
    for (const secret of [token, OTHER_PASSWORD]) expect(stack().logged()).not.toContain(secret)
    expect(
      mailbox()
        .mails()
        .filter(({ text }) => tokenIn(text) !== ''),
    ).toHaveLength(1)
  })
})
