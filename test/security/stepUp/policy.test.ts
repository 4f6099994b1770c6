import { describe, expect, it } from '@jest/globals'
import { type Authentication, byPassword } from '../../../lib/core/authentication.ts'
import { requireRecentSignIn, type SignInStrength, StepUpError, signInOf } from '../../../lib/core/stepUp.ts'

const second = 1000
const signedIn = 1_800_000_000 * second
const signIn = (methods: Authentication['methods'] = byPassword, at = signedIn): Authentication => ({ at, methods })
const twoFactors = ['pwd', 'otp', 'mfa'] as const

/** `passes`, or the level that the refused sign-in has to reach: `none` where the one it had is enough. */
function judge(asked: SignInStrength | undefined, hasSecondFactor: boolean): string {
  try {
    requireRecentSignIn(asked, { hasSecondFactor })
    return 'passes'
  } catch (error) {
    if (!(error instanceof StepUpError)) throw error
    expect(error.code).toBe('insufficient_user_authentication')
    return error.level ?? 'none'
  }
}

describe('A sign-in', () => {
  it.each([
    ['at once', 0, true],
    ['in the future, by a clock that is behind', -5 * second, true],
    ['600 s later', 600 * second, true],
    ['within the second after 600 s, which max_age does not count', 600 * second + 999, true],
    ['601 s later', 601 * second, false],
  ])('is looked at %s', (_, later, isRecent) => {
    expect(signInOf(signIn(), signedIn + later).isRecent).toBe(isRecent)
  })

  it('has the level of its methods', () => {
    expect(signInOf(signIn(), signedIn).level).toBe('aal1')
    expect(signInOf(signIn(twoFactors), signedIn).level).toBe('aal2')
  })
})

describe('An operation that asks for a recent sign-in', () => {
  const recent = { isRecent: true, level: 'aal1' } as const
  const old = { isRecent: false, level: 'aal1' } as const

  it.each([
    ['a recent one of an account without a second factor', recent, false, 'passes'],
    ['a recent one with both factors', { ...recent, level: 'aal2' }, true, 'passes'],
    [
      'a recent one with both factors, the second of which was removed since',
      { ...recent, level: 'aal2' },
      false,
      'passes',
    ],
    ['a recent one without the second factor of the account', recent, true, 'aal2'],
    ['an old one', old, false, 'none'],
    ['an old one with both factors', { ...old, level: 'aal2' }, true, 'none'],
    ['an old one without the second factor of the account', old, true, 'aal2'],
  ] as const)('%s', (_, asked, hasSecondFactor, outcome) => {
    expect(judge(asked, hasSecondFactor)).toBe(outcome)
  })
})

describe('Any other operation', () => {
  it('takes a sign-in of any age and level', () => {
    expect(judge(undefined, true)).toBe('passes')
  })
})
