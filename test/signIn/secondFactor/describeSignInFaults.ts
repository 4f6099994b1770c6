import { describe, expect, it } from '@jest/globals'
import { TOTP } from 'otpauth'
import { beginTotpEnrollment, confirmTotp } from '../../../lib/authenticators/factors/enrollTotp.ts'
import { beginPasskeySignIn } from '../../../lib/authenticators/factors/signInWithPasskey.ts'
import { createRecoveryCodes } from '../../../lib/authenticators/recovery/recoveryCodes.ts'
import { readSession } from '../../../lib/oauth/session/session.ts'
import { askSignIn } from '../../../lib/signIn/askSignIn.ts'
import type { SignInForm, SignInStep } from '../../../lib/signIn/submitSignIn.ts'
import { OrderedFault } from '../../organizations/deletion/faultyDeps.ts'
import { challengeOf, type Person, registeredPasskey } from '../authenticators/authenticatorTestBed.ts'
import { type SigningBrowser, useSignIns } from './signInBed.ts'

export const signIns = useSignIns()
const { bed, deps, newBrowser, send, forms, sessionsOf } = signIns
const MINUTE = 60_000

/** A user in front of the form of which every call is made to fail. */
interface Scene {
  readonly ada: Person
  readonly browser: SigningBrowser
  readonly form: SignInForm
  /** Shows what `form` shows once more, in another browser; undefined where it is right again and again. */
  readonly replay?: () => Promise<SignInStep>
  /** From the beginning, with the password, or the passkey in its place, and what has not been shown yet. */
  readonly startOver: () => Promise<SignInStep>
  /** Of the session that comes of it. */
  readonly methods: string
}

/** A user with an authenticator app and recovery codes. */
export async function withTotp() {
  const ada = await bed.person()
  const { secret } = await beginTotpEnrollment(bed.deps(), ada)
  const code = () => new TOTP({ secret }).generate({ timestamp: bed.clock.now() })
  await confirmTotp(bed.deps(), ada, code())
  bed.wait(MINUTE)
  const codes = await createRecoveryCodes(bed.deps(), ada)
  return { ada, code, codes }
}

async function withPasskey() {
  const ada = await bed.person()
  const authenticator = await registeredPasskey(bed.deps(), ada)
  const answer = async (purpose: 'second_factor' | 'only_factor') => {
    const factor = purpose === 'second_factor' ? { purpose, userId: ada.userId } : { purpose }
    const challenge = challengeOf(await beginPasskeySignIn(bed.deps(), factor))
    return JSON.stringify(authenticator.signIn({ challenge }))
  }
  return { ada, answer }
}

/** A browser in which the password was right. */
export async function pendingBrowser({ email }: Person, browser = newBrowser()): Promise<SigningBrowser> {
  expect((await send(browser, forms.password(email))).step).toBe('pending')
  return browser
}

async function byFactor(
  ada: Person,
  factor: 'totp' | 'recovery_code' | 'passkey',
  proofs: { now: string; later: () => Promise<string> },
): Promise<Omit<Scene, 'methods'>> {
  const browser = await pendingBrowser(ada)
  const form = forms.factor(factor, proofs.now)
  return {
    ...{ ada, browser, form },
    replay: async () => send(await pendingBrowser(ada), form),
    async startOver() {
      bed.wait(MINUTE)
      await pendingBrowser(ada, browser)
      return send(browser, forms.factor(factor, await proofs.later()))
    },
  }
}

/** The mail about a sign-in in a new browser. */
const mailed = ['accounts.find', 'mailer.send']

export const scenes: Readonly<Record<string, { prepare: () => Promise<Scene>; calls: readonly string[] }>> = {
  'the password of an account without a second factor': {
    async prepare() {
      const [ada, browser] = [await bed.person(), newBrowser()]
      const form = forms.password(ada.email)
      return { ada, browser, form, startOver: () => send(browser, form), methods: 'pwd' }
    },
    calls: [
      ...['guesses.count', 'guesses.count', 'accounts.findByEmail', 'passwords.check', 'guesses.takeBack'],
      ...['browserKeys.current', 'pendingSignIns.end', 'browsers.name'],
      ...['sessions.find', 'sessions.start', 'sessions.end', ...mailed],
    ],
  },
  'the password before a second factor': {
    async prepare() {
      const { ada, code } = await withTotp()
      const browser = newBrowser()
      const form = forms.password(ada.email)
      const startOver = async () => {
        await pendingBrowser(ada, browser)
        return send(browser, forms.factor('totp', code()))
      }
      return { ada, browser, form, startOver, methods: 'pwd otp mfa' }
    },
    calls: [
      ...['guesses.count', 'guesses.count', 'accounts.findByEmail', 'passwords.check', 'guesses.takeBack'],
      ...['browserKeys.current', 'authenticators.list', 'pendingSignIns.end', 'pendingSignIns.begin'],
    ],
  },
  'a code of the authenticator app': {
    async prepare() {
      const { ada, code } = await withTotp()
      const scene = await byFactor(ada, 'totp', { now: code(), later: async () => code() })
      return { ...scene, methods: 'pwd otp mfa' }
    },
    calls: [
      ...['pendingSignIns.find', 'accounts.find', 'authenticators.list', 'guesses.count', 'totpAuthenticators.find'],
      ...[
        'totpAuthenticators.countTry',
        'totpCipher.decrypt',
        'totpAuthenticators.takeStep',
        'guesses.takeBack',
        'pendingSignIns.end',
      ],
      ...['browserKeys.current', 'browsers.name', 'sessions.find', 'sessions.start', 'sessions.end', ...mailed],
    ],
  },
  'a recovery code': {
    async prepare() {
      const { ada, codes } = await withTotp()
      const [now = '', later = ''] = codes
      return { ...(await byFactor(ada, 'recovery_code', { now, later: async () => later })), methods: 'pwd otp mfa' }
    },
    calls: [
      ...['pendingSignIns.find', 'accounts.find', 'authenticators.list', 'recoveryCodes.use'],
      ...['accounts.find', 'authenticators.list', 'mailer.send', 'totpAuthenticators.find'],
      ...['pendingSignIns.end', 'browserKeys.current', 'browsers.name'],
      ...['sessions.find', 'sessions.start', 'sessions.end', ...mailed],
    ],
  },
  'a passkey as the second factor': {
    async prepare() {
      const { ada, answer } = await withPasskey()
      const proofs = { now: await answer('second_factor'), later: () => answer('second_factor') }
      return { ...(await byFactor(ada, 'passkey', proofs)), methods: 'pwd swk user mfa' }
    },
    calls: [
      ...['pendingSignIns.find', 'accounts.find', 'authenticators.list', 'challenges.find', 'passkeys.find'],
      ...[
        'accounts.find',
        'passkeys.use',
        'totpAuthenticators.find',
        'pendingSignIns.end',
        'browserKeys.current',
        'browsers.name',
      ],
      ...['sessions.find', 'sessions.start', 'sessions.end', ...mailed],
    ],
  },
  'a passkey as the only factor': {
    async prepare() {
      const { ada, answer } = await withPasskey()
      const browser = newBrowser()
      const form = forms.passkey(await answer('only_factor'))
      const startOver = async () => send(browser, forms.passkey(await answer('only_factor')))
      return { ada, browser, form, replay: () => send(newBrowser(), form), startOver, methods: 'swk user mfa' }
    },
    calls: [
      ...['challenges.find', 'passkeys.find', 'accounts.find', 'passkeys.use', 'totpAuthenticators.find'],
      'browserKeys.current',
      ...['pendingSignIns.end', 'browsers.name', 'sessions.find', 'sessions.start', 'sessions.end', ...mailed],
    ],
  },
}

/** Whether a call is for a mail: of the sign-in, after it, or of a recovery code, after its use. */
function isMailing(listed: readonly string[], call: number): boolean {
  const [used, signedIn] = [listed.indexOf('recoveryCodes.use'), listed.indexOf('sessions.end')]
  const isOfCode = used >= 0 && call > used && call <= listed.indexOf('mailer.send')
  return isOfCode || (signedIn >= 0 && call > signedIn)
}

/** Gives each call of the scenes a fault before and after it. */
export function describeSignInFaults(): void {
  describe.each(Object.entries(scenes))('A sign-in at %s', (_, { prepare, calls: listed }) => {
    it('makes the listed calls, each of which gets its faults', async () => {
      const { browser, form } = await prepare()
      const { deps: over, calls } = deps()
      await send(browser, form, over)
      expect(calls()).toEqual(listed)
    })

    it.each(['before', 'after'] as const)(
      'with a fault %s any call needs what it needs, uses what is used once at most once, and succeeds when tried again',
      async (when) => {
        for (const [call, at] of listed.entries()) {
          const { ada, browser, form, replay, startOver, methods } = await prepare()
          const { cookie } = browser
          const first = await send(browser, form, deps({ call, when }).deps).then(
            ({ step }) => step,
            (error: unknown) => (error instanceof OrderedFault ? 'fault' : error),
          )
          // A fault is never said to be a wrong password or code. What only makes a try fade sooner may fail, and what mails the user.
          const isForgiving = at === 'totpAuthenticators.find' && !listed.includes('totpAuthenticators.countTry')
          const isFading = replay !== undefined && (at === 'guesses.takeBack' || isForgiving)
          const isIgnored = isFading || isMailing(listed, call)
          expect([at, first]).toEqual([at, isIgnored ? 'signed_in' : 'fault'])
          const stored = await sessionsOf(ada.userId)
          expect([at, stored.filter((found) => found !== methods)]).toEqual([at, []])
          // Sent again, here and in another browser.
          const second = isIgnored ? 'signed_in' : (await send(browser, form)).step
          await replay?.()
          const sessions = await sessionsOf(ada.userId)
          if (replay) expect([at, sessions]).toEqual([at, sessions.length === 0 ? [] : [methods]])
          const done = second === 'signed_in' ? second : (await startOver()).step
          expect([at, done]).toEqual([at, 'signed_in'])
          const live = await readSession(deps().deps, browser.cookie)
          expect([at, live?.user.id, live?.authentication.methods.join(' ')]).toEqual([at, ada.userId, methods])
          // The secret that another person may know leads to nothing.
          expect([at, await askSignIn(deps().deps, cookie), await readSession(deps().deps, cookie)]).toEqual([
            at,
            { step: 'password', email: '', isAddressKnown: false, providers: [] },
            undefined,
          ])
        }
      },
      60_000,
    )
  })
}
