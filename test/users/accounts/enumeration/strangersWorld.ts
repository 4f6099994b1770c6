import type { Caller } from '../../../../lib/core/identity.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../../../lib/core/ids.ts'
import { fixedSecret } from '../../../../lib/core/secret.ts'
import { answerInTable } from '../../../../lib/http/answer/answerErrors.ts'
import type { Mail } from '../../../../lib/mail/mailer.ts'
import { type InviteDeps, inviteMember } from '../../../../lib/organizations/invitations/inviteMember.ts'
import { toInvitationResource } from '../../../../lib/organizations/members/memberResource.ts'
import { register } from '../../../../lib/users/account/register.ts'
import { submitAccountForm } from '../../../../lib/users/account/submitAccountForm.ts'
import { updateProfile } from '../../../../lib/users/account/updateProfile.ts'
import type { AccountDeps } from '../../../../lib/users/deps.ts'
import { requestEmailChange } from '../../../../lib/users/email/requestEmailChange.ts'
import { requestVerification, verifyEmailWithPassword } from '../../../../lib/users/email/verifyEmail.ts'
import { forgotPassword } from '../../../../lib/users/password/resetPassword.ts'
import { type SignInDeps, signIn } from '../../../../lib/users/password/signIn.ts'
import { inMemoryGuesses } from '../../../signIn/hosted/simulations/inMemoryGuesses.ts'
import { createActivityInMemory } from '../../../support/activityInMemory.ts'
import { plainBranding } from '../../../support/branding.ts'
import { createAccountsInMemory } from '../inMemoryAccounts.ts'
import { tokenIn } from '../useAccounts.ts'

const START = Date.UTC(2026, 10, 20)
const DAY = 24 * 3_600_000
const idOf = (number: number): UserId => userIdSchema.parse(`00000000-0000-4000-8000-${`${number}`.padStart(12, '0')}`)

/** The address that a stranger is curious about, one of their own, and a name that they choose. */
const [target, own, wanted] = ['ada@example.com', 'mallory-2@example.com', 'wanted']
const [stranger, password] = [idOf(1), 'the stranger’s own phrase']
const caller: Caller = { userId: stranger, securityRev: 0 }
const organizationId = organizationIdSchema.parse(idOf(9))

const someone = { id: idOf(2), email: target, username: 'ada', isActive: true, isVerified: true, isSuperuser: false }

/** What may be at the address; registrations of the other kind have ended. */
export const worlds = {
  nothing: undefined,
  'an account': { ...someone, createdAt: START - DAY },
  'an account that was switched off': { ...someone, isActive: false, createdAt: START - DAY },
  'a registration': { ...someone, isVerified: false, createdAt: START - DAY },
  'a registration that has ended': { ...someone, isVerified: false, createdAt: START - 8 * DAY },
}

/** Makes every call of a dependency known by its name; reserving a name is as much work as storing a registration. */
function watched<Port extends object>(port: Port, name: string, work: string[]): Port {
  return new Proxy(port, {
    get(object, member, receiver) {
      const value: unknown = Reflect.get(object, member, receiver)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        work.push(
          `${name}.${String(member)}`
            .replace('users.reserveName', 'users.create')
            .replace('mailer.discard', 'mailer.send'),
        )
        return Reflect.apply(value, object, given)
      }
    },
  })
}

/** A stranger with an account and an organization, in one of the worlds. */
export async function strangerIn(world: keyof typeof worlds, { hasLittleMail = false } = {}) {
  const work: string[] = []
  const received: Mail[] = []
  const stores = createAccountsInMemory()
  let now = START
  let ids = 100
  const nextId = () => {
    ids += 1
    return ids
  }
  const first = { id: stranger, username: 'mallory', email: 'mallory@example.com', createdAt: START - DAY }
  const flags = { isActive: true, isVerified: true, isSuperuser: false }
  await stores.users.create({ ...first, ...flags }, `hash of ${password}`)
  const there = worlds[world]
  if (there !== undefined) await stores.users.create(there, 'hash of the owner’s own phrase')

  const spend: AccountDeps['mailBudgets']['spend'] = (subject, options) =>
    stores.mailBudgets.spend(subject, hasLittleMail ? { ...options, latestFull: options.now } : options)
  const deps: AccountDeps & InviteDeps & SignInDeps = {
    users: watched(stores.users, 'users', work),
    accounts: watched(stores.accounts, 'accounts', work),
    links: watched(stores.links, 'links', work),
    mailBudgets: watched({ spend }, 'mailBudgets', work),
    guesses: watched(inMemoryGuesses(), 'guesses', work),
    passwords: watched(
      {
        hash: async (text) => `hash of ${text}`,
        check: async (text, hash) => ({ isRight: hash === `hash of ${text}`, isOutdated: false }),
      },
      'passwords',
      work,
    ),
    strength: { weaknessOf: async () => undefined },
    browserKeys: fixedSecret('key of the browsers'),
    mailer: watched(
      {
        async send(mail) {
          if (mail.to.startsWith('mallory')) received.push(mail)
        },
        discard: async () => {},
      },
      'mailer',
      work,
    ),
    organizations: {
      read: async () => ({
        organization: { id: organizationId, name: 'Acme', createdAt: '2026-01-15T09:00:00Z' },
        roleOf: () => 'owner',
      }),
    },
    invitations: { findCurrent: async () => undefined, put: async () => 'written' },
    ids: {
      uuid: () => idOf(nextId()),
      secret: () => `secret-${nextId()}`,
    },
    clock: { now: () => now, sync: async () => {} },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    activity: createActivityInMemory().activity,
    accountUrl: 'https://api.console.example.com',
    branding: plainBranding,
  }

  const from = { sourceIp: '203.0.113.9', language: 'en' } as const
  const at = { email: target, ...from }
  const chosen = { ...at, username: wanted, password }
  const actions = {
    'registers with the name': () => register(deps, chosen),
    'registers with another name': () => register(deps, { ...chosen, username: 'other' }),
    'registers with a name that is taken': () => register(deps, { ...chosen, username: 'mallory' }),
    'registers the name elsewhere': () => register(deps, { ...chosen, email: own }),
    'asks for a reset': () => forgotPassword(deps, at),
    'asks for a verification': () => requestVerification(deps, at),
    'signs in': () => signIn(deps, { ...at, password, knownBrowser: undefined }).then(() => 'signed in'),
    'invites the address': async () => {
      const invitation = await inviteMember(deps, {
        ...at,
        organizationId,
        caller,
        role: 'member',
      })
      return toInvitationResource(invitation)
    },
    'asks to change to the address': () =>
      requestEmailChange(deps, caller, { email: target, currentPassword: password, language: 'en' }),
    'renames to the name': () => updateProfile({ ...deps, serviceName: 'Console' }, caller, { username: wanted }),
    'uses the link in the last mail': () =>
      verifyEmailWithPassword(deps, { token: tokenIn(received.at(-1)?.text ?? ''), password }),
    'sends the form for an account': () => submitAccountForm(deps, { ...chosen, purpose: 'register' }),
    'sends the form for a password': () => submitAccountForm(deps, { ...at, purpose: 'forgot_password' }),
    'sends the form for a verification': () => submitAccountForm(deps, { ...at, purpose: 'resend_verification' }),
  }
  return {
    /** Everything that the stranger sees of one request: its answer, the work that takes its time, and the mails in their mailboxes. */
    async sees(action: keyof typeof actions): Promise<string> {
      work.length = 0
      received.length = 0
      now += 60_000
      const answer = await actions[action]().catch((error: unknown) => answerInTable(error))
      const all = JSON.stringify({ answer: answer ?? 'done', work, received })
      // Random ids say nothing.
      return all.replaceAll(/secret-\d+|0000000001\d\d/g, 'random')
    },
    actions: Object.keys(actions),
  }
}

export type Action = Parameters<Awaited<ReturnType<typeof strangerIn>>['sees']>[0]
