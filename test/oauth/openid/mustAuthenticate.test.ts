import { describe, expect, it } from '@jest/globals'
import { type AuthenticationMethod, assuranceLevels } from '../../../lib/core/authentication.ts'
import { mustAuthenticate } from '../../../lib/oauth/authorize/mustAuthenticate.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'

const [mine, another] = [digestSecret('this request'), digestSecret('another')]
const NOW = Date.UTC(2026, 10, 22)
const MINUTE = 60_000
const nothing = { prompts: [], maxAge: undefined, levels: [], sso: undefined, digest: mine }

type Request = Parameters<typeof mustAuthenticate>[0]

/** A session of the user `ada`, by its age in milliseconds. */
function session(age: number, signedInFor = another, methods: readonly AuthenticationMethod[] = ['pwd']) {
  return { user: { id: 'ada' }, authentication: { at: NOW - age, methods }, signedInFor }
}

const twoFactors: readonly AuthenticationMethod[] = ['pwd', 'otp', 'mfa']

describe('What a user has to do before a request is answered', () => {
  it.each<[string, Partial<Request>, ReturnType<typeof session>, ReturnType<typeof mustAuthenticate>]>([
    ['nothing, where the request asks for nothing', {}, session(MINUTE), undefined],
    ['prompt=login: a sign-in', { prompts: ['login'] }, session(0), 'sign_in'],
    ['prompt=login: nothing after the sign-in for it', { prompts: ['login'] }, session(MINUTE, mine), undefined],
    ['prompt=login: another after 10 minutes', { prompts: ['login'] }, session(10 * MINUTE, mine), 'sign_in'],
    ['max_age: nothing within it', { maxAge: 60 }, session(MINUTE), undefined],
    ['max_age: a sign-in past it, by the second that `auth_time` has', { maxAge: 60 }, session(MINUTE + 1), 'sign_in'],
    ['max_age=0: a sign-in', { maxAge: 0 }, session(1000), 'sign_in'],
    ['max_age=0: nothing after the sign-in for it', { maxAge: 0 }, session(MINUTE, mine), undefined],
    ['max_age=0: another after 10 minutes', { maxAge: 0 }, session(10 * MINUTE, mine), 'sign_in'],
    ['max_age longer than 10 minutes: nothing within it', { maxAge: 3600 }, session(30 * MINUTE, mine), undefined],
    ['a hint at the same user: nothing', { hintedUser: 'ada' }, session(0), undefined],
    ['a hint at another user: another account', { hintedUser: 'bob' }, session(0, mine), 'other_user'],
    ['prompt=select_account: a choice', { prompts: ['select_account'] }, session(0), 'select_account'],
    [
      'prompt=select_account: nothing after the sign-in for it',
      { prompts: ['select_account'] },
      session(0, mine),
      undefined,
    ],
    ['prompt=select_account with login: a sign-in', { prompts: ['login', 'select_account'] }, session(0), 'sign_in'],
    [
      'prompt=select_account with aal2: a second factor',
      { prompts: ['select_account'], levels: ['aal2'] },
      session(0),
      'second_factor',
    ],
    ['acr_values with aal2 alone: a second factor', { levels: ['aal2'] }, session(0), 'second_factor'],
    ['acr_values with both: nothing', { levels: assuranceLevels }, session(0), undefined],
    [
      'acr_values with aal2: nothing after two factors',
      { levels: ['aal2'] },
      session(0, another, twoFactors),
      undefined,
    ],
    [
      'acr_values with aal1: nothing after two factors',
      { levels: ['aal1'] },
      session(0, another, twoFactors),
      undefined,
    ],
    ['a sign-in before a second factor', { prompts: ['login'], levels: ['aal2'] }, session(0), 'sign_in'],
  ])('%s', (_, request, of, expected) => {
    expect(mustAuthenticate({ ...nothing, ...request }, of, NOW)).toBe(expected)
  })
})
