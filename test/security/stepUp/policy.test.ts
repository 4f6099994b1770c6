import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { contract as deleteOrganization } from '../../../functions/organizations-delete/contract.ts'
import { contract as resend } from '../../../functions/organizations-invitation-resend/contract.ts'
import { contract as invite } from '../../../functions/organizations-invite/contract.ts'
import { contract as remove } from '../../../functions/organizations-member-remove/contract.ts'
import { contract as changeRole } from '../../../functions/organizations-member-role/contract.ts'
import { contract as transfer } from '../../../functions/organizations-transfer/contract.ts'
import { contract as deleteAccount } from '../../../functions/users-me-delete/contract.ts'
import { contract as changeEmail } from '../../../functions/users-me-email-change/contract.ts'
import { type Authentication, byPassword } from '../../../lib/core/authentication.ts'
import type { Identity } from '../../../lib/core/identity.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import {
  FactorTooNewError,
  newFactorSecondsOf,
  requireRecentSignIn,
  type SignInStrength,
  StepUpError,
  signInOf,
} from '../../../lib/core/stepUp.ts'
import { answerInTable } from '../../../lib/http/answer/answerErrors.ts'
import { callerOf } from '../../../lib/http/security/authenticate.ts'

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
    return error.wanted.level ?? 'none'
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

describe('An operation that refuses a new factor', () => {
  const asked = { isRecent: true, level: 'aal2', newFactorSeconds: 30 } as const

  it('is 403 with the wait, once the sign-in itself is enough', () => {
    const refusal = (signIn: SignInStrength) => () => requireRecentSignIn(signIn, { hasSecondFactor: true })
    expect(refusal(asked)).toThrow(FactorTooNewError)
    expect(refusal({ ...asked, isRecent: false })).toThrow(StepUpError)
    expect(refusal({ ...asked, level: 'aal1' })).toThrow(StepUpError)
    expect(refusal({ ...asked, newFactorSeconds: undefined })).not.toThrow()
    expect(answerInTable(new FactorTooNewError(30))).toMatchObject({
      status: 403,
      code: 'factor_too_new',
      headers: { 'retry-after': '30' },
    })
  })

  it('waits until the factor is 24 hours old, in whole seconds', () => {
    const at = (newFactorUntil?: number) => newFactorSecondsOf({ ...signIn(twoFactors), newFactorUntil }, signedIn)
    expect([at(), at(signedIn), at(signedIn + 1), at(signedIn + 1001)]).toEqual([undefined, undefined, 1, 2])
  })

  it.each([
    ['organizations-invite', invite],
    ['organizations-invitation-resend', resend],
    ['organizations-member-role', changeRole],
    ['organizations-member-remove', remove],
    ['organizations-transfer', transfer],
    ['organizations-delete', deleteOrganization],
    ['users-me-email-change', changeEmail],
    ['users-me-delete', deleteAccount],
  ])('is %s, by the sign-in of the token', (_, contract) => {
    const authentication = { ...signIn(twoFactors), newFactorUntil: signedIn + 5000 }
    const client = { clientId: 'console', scope: '', isFirstParty: true, securityRev: 0, familyId: 'family' }
    const identity: Identity = { userId: userIdSchema.parse(randomUUID()), ...client, authentication }
    const newFactorSeconds = (asked: Parameters<typeof callerOf>[0]) => {
      const caller = callerOf(asked, identity, { role: 'owner' }, signedIn)
      return 'signInToCheck' in caller ? caller.signInToCheck?.newFactorSeconds : undefined
    }
    expect(newFactorSeconds(contract)).toBe(5)
    expect(newFactorSeconds({ recentSignIn: true })).toBeUndefined()
  })
})

describe('Any other operation', () => {
  it('takes a sign-in of any age and level', () => {
    expect(judge(undefined, true)).toBe('passes')
  })
})
