import { describe, expect, it } from '@jest/globals'
import { type Answer, PASSWORD, useAccounts } from '../useAccounts.ts'

const { stack, mailbox, post, request, person, newEmail, trySignIn } = useAccounts()

/** An address, and what is there. */
const worlds = {
  nothing: async () => newEmail(),
  'an account': async () => (await person()).email,
  'an account that was switched off': async () => (await person({ isActive: false })).email,
  'a registration': async () => (await person({ isVerified: false })).email,
}

interface Stranger {
  readonly target: string
  readonly own: string
  readonly username: string
  readonly token: string
}

const register = (email: string, username: string) =>
  post('/api/auth/register', { email, username, password: 'a phrase of a stranger’s' })
const refusalOf = ({ code, retryAfterSeconds }: { code: string; retryAfterSeconds?: number }) => ({
  code,
  retryAfterSeconds,
})

const requests = {
  register: ({ target, username }) => register(target, username),
  'register elsewhere': ({ own, username }) => register(own, username),
  forgot: ({ target }) => post('/api/auth/password/forgot', { email: target }),
  'verify request': ({ target }) => post('/api/auth/verify/request', { email: target }),
  'sign in': ({ target }) => trySignIn(target, 'a phrase of a stranger’s').then(() => 'signed in', refusalOf),
  'change to': ({ target, token }) =>
    post('/api/users/me/email/change', { email: target, current_password: PASSWORD }, token),
  rename: ({ username, token }) =>
    request('/api/users/me', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ username }),
    }),
} satisfies Record<string, (stranger: Stranger) => Promise<Answer | string | object>>

const sequences: (keyof typeof requests)[][] = [
  ['register', 'register elsewhere'],
  ['register', 'register'],
  ['register', 'sign in', 'register elsewhere'],
  ['register', 'verify request', 'forgot'],
  ['forgot', 'verify request', 'sign in'],
  ['register', 'rename'],
  ['register elsewhere', 'register'],
  ['rename', 'register'],
  ['change to', 'register', 'change to'],
]

/** Leaves out the headers that follow from a stranger's own user. */
const withoutOwn = (name: string, value: unknown) => (['etag', 'content-length'].includes(name) ? undefined : value)

/** All that a stranger is answered, and how many mails come to their own addresses. */
async function answers(world: keyof typeof worlds, sequence: readonly (keyof typeof requests)[]) {
  const target = await worlds[world]()
  const me = await person()
  const { token } = await me.signIn()
  const stranger = { target, own: newEmail(), username: `w-${stack().ids.uuid().slice(0, 8)}`, token }
  const seen: unknown[] = []
  for (const name of sequence) seen.push(await requests[name](stranger))
  const mails = mailbox().mails()
  const ours = [me.email, stranger.own].map((email) =>
    mails.filter(({ to }) => to === email).map(({ subject }) => subject),
  )
  // What differs from one stranger to the next.
  const names = [target, me.email, me.userId, stranger.own, stranger.username, me.username]
  return names.reduce((text, name) => text.replaceAll(name, '…'), JSON.stringify({ seen, ours }, withoutOwn))
}

describe.each(['an account', 'an account that was switched off', 'a registration'] as const)('Given %s', (world) => {
  // [asvs 6.3.8] [threat 15.3a]
  it.each(sequences.map((sequence) => [sequence.join(', '), sequence] as const))(
    'a stranger is answered the same as with nothing at the address: %s',
    async (_, sequence) => {
      expect(await answers(world, sequence)).toBe(await answers('nothing', sequence))
    },
  )
})
