import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { type LocalClient, localClient } from '../../infra/local/localClient.ts'
import { newEmail } from '../../infra/local/sampleAccounts.ts'
import { type LocalStack, startStack } from '../../infra/local/stack.ts'
import { formFields, textOf } from '../authorize/page.ts'
import { queryOf, signInAt } from '../authorize/people.ts'
import { type Met, Visitor } from '../authorize/visitor.ts'
import { OTHER_PASSWORD, PASSWORD } from './useAccounts.ts'

let stack: LocalStack
let client: LocalClient
let taken = 0

beforeAll(async () => {
  stack = await startStack({ quiet: true, schedules: false })
  client = localClient(stack.info)
})

afterAll(() => stack?.close())

type Purpose = 'forgot_password' | 'register'
const pathOf = (purpose: Purpose) => `/api/auth/link?purpose=${purpose}`
const checkYourEmail = 'Check your email Check your inbox for the next step.'

/** A browser at the sign-in page of the demo's client. */
async function atSignIn() {
  const visitor = new Visitor(stack.info.base_url)
  const { client_id, redirect_uri } = stack.info.demo
  const query = queryOf({ clientId: client_id }, { redirect_uri })
  return { visitor, query, page: await visitor.get(query) }
}

/** Requests a page of `/api/auth/link` in that browser, which keeps its cookie. */
async function visit(visitor: Visitor, path: string, form?: Record<string, string>, headers = {}): Promise<Met> {
  const response = await fetch(stack.info.base_url + path, {
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    headers: { ...(visitor.cookie !== undefined && { cookie: visitor.cookie }), ...headers },
  })
  const [cookie] = response.headers.getSetCookie()
  if (cookie !== undefined) visitor.cookie = cookie.split(';')[0]
  const { status, headers: received } = response
  return { status, headers: received, body: await response.text(), location: null }
}

/** Opens a form in a browser of its own, fills it in and sends it. */
async function fill(purpose: Purpose, fields: Record<string, string>): Promise<Met> {
  const visitor = new Visitor(stack.info.base_url)
  const { body } = await visit(visitor, pathOf(purpose))
  return visit(visitor, pathOf(purpose), { ...formFields(body), ...fields })
}

const mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }))

async function mailsTo(address: string) {
  const { body } = await client.send({ method: 'GET', path: '/_local/mail.json' })
  return mails.parse(body).filter(({ to }) => to === address)
}

/** The path and query of the link in the newest mail to an address. */
async function linkMailedTo(address: string): Promise<string> {
  const [newest] = await mailsTo(address)
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(newest?.text ?? '')?.[0] ?? '')
  return pathname + search
}

const newUsername = () => {
  taken += 1
  return `hosted-form-${taken}`
}

/** The fields of a registration with an unused email address and username. */
const newcomer = () => ({ email: newEmail(), username: newUsername(), password: PASSWORD })

async function registered() {
  const someUser = newcomer()
  expect((await fill('register', someUser)).status).toBe(200)
  return someUser
}

/** Signs in on the sign-in page; 303 is success. */
async function statusOfSignIn(email: string, password: string): Promise<number> {
  const { visitor, query } = await atSignIn()
  return (await signInAt(visitor, query, email, password)).status
}

describe('The sign-in page', () => {
  it('links to both forms without passing on parameters', async () => {
    const { page } = await atSignIn()
    const links = [...page.body.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, label]) => [label, href])
    expect(links).toEqual([
      ['Forgot password?', pathOf('forgot_password')],
      ['Create an account', pathOf('register')],
    ])
  })
})

describe('A user who forgot the password', () => {
  it('gets from the sign-in page to a new password and signs in, without script', async () => {
    const { email } = await registered()
    const { visitor, query } = await atSignIn()
    const form = await visit(visitor, pathOf('forgot_password'))
    const answer = await visit(visitor, pathOf('forgot_password'), { ...formFields(form.body), email })
    expect([answer.status, textOf(answer.body)]).toEqual([200, expect.stringContaining(checkYourEmail)])
    expect(textOf(answer.body)).toContain('go back to the application to sign in')
    const reset = await visit(visitor, await linkMailedTo(email))
    const done = await visit(visitor, '/api/auth/link', { ...formFields(reset.body), password: OTHER_PASSWORD })
    expect([done.status, textOf(done.body)]).toEqual([200, expect.stringContaining('Go back to the application')])
    expect((await signInAt(visitor, query, email, OTHER_PASSWORD)).status).toBe(303)
    expect(await statusOfSignIn(email, PASSWORD)).toBe(400)
  })

  it('sees the same page as a stranger, byte for byte; only the mail differs', async () => {
    const [{ email }, unknown] = [await registered(), newEmail()]
    const [known, stranger] = [
      await fill('forgot_password', { email }),
      await fill('forgot_password', { email: unknown }),
    ]
    expect([known.status, stranger.status]).toEqual([200, 200])
    expect(known.body).toBe(stranger.body)
    expect((await mailsTo(email))[0]?.subject).toBe('Reset your password')
    expect((await mailsTo(unknown)).map(({ subject }) => subject)).toEqual([
      'There is no account with this email address',
    ])
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

describe('A user without an account', () => {
  it('creates one, confirms the address, and signs in, without script', async () => {
    const { visitor, query } = await atSignIn()
    const someUser = newcomer()
    const form = await visit(visitor, pathOf('register'))
    const answer = await visit(visitor, pathOf('register'), { ...formFields(form.body), ...someUser })
    expect([answer.status, textOf(answer.body)]).toEqual([200, expect.stringContaining(checkYourEmail)])
    const verify = await visit(visitor, await linkMailedTo(someUser.email))
    const done = await visit(visitor, '/api/auth/link', formFields(verify.body))
    expect([done.status, textOf(done.body)]).toEqual([200, expect.stringContaining('Email address confirmed')])
    expect((await signInAt(visitor, query, someUser.email, OTHER_PASSWORD)).status).toBe(400)
    expect((await signInAt(visitor, query, someUser.email, PASSWORD)).status).toBe(303)
  })

  it('sees the same page for an address that has an account, whose password is unchanged; only its owner gets a notice', async () => {
    const { email } = await registered()
    const [first, second] = [newcomer(), { ...newcomer(), email, password: OTHER_PASSWORD }]
    const [fresh, known] = [await fill('register', first), await fill('register', second)]
    expect([fresh.status, known.status]).toEqual([200, 200])
    expect(known.body).toBe(fresh.body)
    expect((await mailsTo(email))[0]?.subject).toBe('You already have an account')
    expect(await statusOfSignIn(email, OTHER_PASSWORD)).toBe(400)
    expect(await statusOfSignIn(email, PASSWORD)).toBe(303)
  })

  it.each(['a new', 'a known'])(
    'sees with %s address alike that the username is taken, and keeps the other fields',
    async (which) => {
      const { email, username } = await registered()
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

  it('sees all problems at once, and no account is created', async () => {
    const wrong = { email: 'no-address', username: '-', password: 'password1' }
    const { status, body } = await fill('register', wrong)
    expect(status).toBe(422)
    expect([...body.matchAll(/id="(\w+)-problem" role="alert"/g)].map(([, name]) => name)).toEqual(Object.keys(wrong))
    expect(body).toContain('one of the most common ones')
    expect(body).not.toContain('password1')
    expect(await statusOfSignIn('no-address', 'password1')).toBe(400)
  })
})

describe.each(['forgot_password', 'register'] as const)('The form %s', (purpose) => {
  const target = () => ({ ...newcomer(), purpose })

  it('is refused from another site, from another browser, and without a cookie', async () => {
    const [visitor, other] = [new Visitor(stack.info.base_url), new Visitor(stack.info.base_url)]
    const [mine, theirs] = [await visit(visitor, pathOf(purpose)), await visit(other, pathOf(purpose))]
    const filled = target()
    const send = (from: Visitor, page: Met, headers = {}) =>
      visit(from, pathOf(purpose), { ...formFields(page.body), ...filled }, headers)
    const refused = [
      await send(visitor, mine, { origin: 'https://other.example.com' }),
      await send(visitor, mine, { 'sec-fetch-site': 'cross-site' }),
      await send(visitor, theirs),
      await send(new Visitor(stack.info.base_url), mine),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(refused[0]?.body).toContain(`href="?purpose=${purpose}"`)
    expect(await mailsTo(filled.email)).toEqual([])
    expect((await send(visitor, mine)).status).toBe(200)
  })

  it('sets the cookie of a browser once', async () => {
    const visitor = new Visitor(stack.info.base_url)
    const [first, second] = [await visit(visitor, pathOf(purpose)), await visit(visitor, pathOf(purpose))]
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
    ])
    expect(second.headers.getSetCookie()).toEqual([])
    expect(second.body).toBe(first.body)
  })

  it('answers 429 with Retry-After, as a page, after too many for one address, known or not', async () => {
    const visitor = new Visitor(stack.info.base_url)
    const page = await visit(visitor, pathOf(purpose))
    const { email } = newcomer()
    const answers: Met[] = []
    // After the first eleven one is admitted per delay, which doubles from a second on: a slow machine waits some of them out.
    while (answers.at(-1)?.status !== 429 && answers.length < 20) {
      const filled = { ...newcomer(), ...formFields(page.body), email }
      answers.push(await visit(visitor, pathOf(purpose), filled))
    }
    const last = answers.at(-1)
    expect(answers.slice(0, 11).map(({ status }) => status)).toEqual(Array<number>(11).fill(200))
    expect(last?.status).toBe(429)
    expect(last?.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(last?.headers.get('content-type')).toContain('text/html')
    expect(textOf(last?.body ?? '')).toContain('Too many attempts')
  })
})
