import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import * as z from 'zod'
import { type SesServer, startSesServer } from '../../../infra/emulators/ses/startSesServer.ts'
import { type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import { register as registerClient, signIn } from '../../oauth/token/tokenRequests.ts'
import { useAccountsStack } from '../../support/accountsStack.ts'
import { argon2idPasswords } from '../../support/argon2idPasswords.ts'
import { maskRequestId } from '../../support/errorBody.ts'
import { race, racers } from '../../support/race.ts'
import { stableHeaders } from '../../support/stableHeaders.ts'

export const PASSWORD = 'staple-battery-4c1d'
export const OTHER_PASSWORD = 'another-passphrase-9e2f'

export interface Answer {
  status: number
  /** Without those that differ from one request to the next. */
  headers: Record<string, string>
  text: string
  /** The parsed body of a JSON answer. */
  body: unknown
}

/** A user with a password, and a way to get tokens for them. */
export interface Person {
  readonly userId: UserId
  readonly email: string
  readonly username: string
  /** An access token of a new family, and the request that refreshes its tokens. */
  signIn(): Promise<{ token: string; refresh: Record<string, string> }>
}

let passwordHash: Promise<string> | undefined

/** Of `PASSWORD`, the same for everybody in a test file. */
function hashOfPassword(): Promise<string> {
  passwordHash ??= argon2idPasswords.hash(PASSWORD)
  return passwordHash
}

/** The account functions over real protocols, a mailbox, and people with passwords. */
export function useAccounts() {
  const stack = useAccountsStack()
  let ses: SesServer | undefined
  const mailbox = () => {
    if (ses === undefined) throw new Error('SES is not started yet')
    return ses
  }
  beforeAll(async () => {
    ses = await startSesServer({ now: async () => stack().clock.now() })
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_SESV2: ses.endpoint,
      ACCOUNT_URL: stack().baseUrl,
      BILLING_TABLE: 'billing',
    })
  })
  afterEach(() => mailbox().reset())
  afterAll(() => ses?.close())

  async function request(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(stack().baseUrl + path, init)
    const headers = stableHeaders(response)
    const text = maskRequestId(await response.text())
    const isJson = headers['content-type'] === 'application/json' && text !== ''
    return { status: response.status, headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  const post = (path: string, body: unknown, token?: string) =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })

  /** With a letter, so that it has another spelling. */
  const newEmail = () => `e-${stack().ids.uuid().slice(0, 13)}@example.com`

  /** A user with an existing account. */
  async function person(
    options: { email?: string; isVerified?: boolean; isActive?: boolean; passwordHash?: string } = {},
  ): Promise<Person> {
    const { email = newEmail(), isVerified = true, isActive = true } = options
    const userId = userIdSchema.parse(stack().ids.uuid())
    const username = `u-${userId.slice(0, 13)}`
    const createdAt = stack().clock.now()
    const user = { id: userId, email, username, createdAt, isActive, isVerified, isSuperuser: false }
    await stack().users.create(user, options.passwordHash ?? (await hashOfPassword()))
    return {
      userId,
      email,
      username,
      async signIn() {
        const { credentials } = await registerClient(stack())
        const { tokens, refresh } = await signIn(stack(), { userId, credentials })
        return { token: tokens.access_token, refresh }
      },
    }
  }

  /** The stored item of a user, including secrets. */
  async function stored(userId: UserId) {
    return storedUser.parse((await stack().stored()).find(({ pk, sk }) => pk === `USER#${userId}` && sk === 'USER'))
  }

  return {
    stack,
    mailbox,
    request,
    post,
    newEmail,
    person,
    stored,
    /** Mails to an address, newest first. */
    mailsTo: (address: string) =>
      mailbox()
        .mails()
        .filter(({ to }) => to === address),
    /** The token in the newest mail to an address. */
    tokenMailedTo: (address: string) =>
      tokenIn(
        mailbox()
          .mails()
          .find(({ to }) => to === address)?.text ?? '',
      ),
    /** Posts a form as a browser does. */
    submit: (fields: Record<string, string>) =>
      request('/api/auth/link', { method: 'POST', body: new URLSearchParams(fields) }),
    /** The real functions of signing in, which pages use. */
    async trySignIn(email: string, password: string, sourceIp = '203.0.113.10', knownBrowser?: string) {
      const [{ signIn: signInWith }, { mailDepsFromEnvironment }, { knownBrowserDepsFromEnvironment }] =
        await Promise.all([
          import('../../../lib/users/password/signIn.ts'),
          import('../../../lib/runtime/accounts.ts'),
          import('../../../lib/runtime/signIn.ts'),
        ])
      const deps = { ...mailDepsFromEnvironment(), ...knownBrowserDepsFromEnvironment(), clock: stack().clock }
      const { user, knownBrowser: cookie } = await signInWith(deps, { email, password, sourceIp, knownBrowser })
      return { ...user, cookie: cookie.value }
    },
  }
}

const storedUser = z.object({
  email: z.string(),
  isVerified: z.boolean(),
  passwordHash: z.string(),
  securityRev: z.number(),
  keptFamily: z.string().optional(),
})

/** The token of the link in a mail's text; empty without a link. */
export function tokenIn(text: string): string {
  return /[?&]token=([\w-]+)/.exec(text)?.[1] ?? ''
}

/** The statuses of parallel calls, sorted. */
export async function atOnce(call: () => Promise<Answer>): Promise<number[]> {
  const answers = await race(call)
  return answers.map(({ status }) => status).sort((a, b) => a - b)
}

/** One use of a link with a password succeeded, and the others were refused: a link takes 10 passwords, those under way included. */
export function expectOneWinner(statuses: readonly number[]): void {
  const [won, ...lost] = statuses
  expect(won).toBe(200)
  expect(lost.filter((status) => status !== 400 && status !== 429)).toEqual([])
}

/** The statuses of one winner and the others. */
export const oneWinner = (won: number, lost: number) => [won, ...Array<number>(racers - 1).fill(lost)]
