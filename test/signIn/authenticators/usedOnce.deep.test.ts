import { describe, expect, it } from '@jest/globals'
import { beginTotpEnrollment, confirmTotp } from '../../../lib/authenticators/factors/enrollTotp.ts'
import {
  beginPasskeyRegistration,
  finishPasskeyRegistration,
} from '../../../lib/authenticators/factors/registerPasskey.ts'
import { beginPasskeySignIn, verifyPasskeySignIn } from '../../../lib/authenticators/factors/signInWithPasskey.ts'
import { verifyTotp } from '../../../lib/authenticators/factors/verifyTotp.ts'
import { createRecoveryCodes, verifyRecoveryCode } from '../../../lib/authenticators/recovery/recoveryCodes.ts'
import { racers } from '../../support/race.ts'
import { challengeOf, type Deps, place, registeredPasskey, useAuthenticators } from './authenticatorTestBed.ts'
import { failAt, type Moment } from './failAt.ts'
import { softwareAuthenticator } from './softwareAuthenticator.ts'

const bed = useAuthenticators()
const { codeOf, withTotp } = bed

/** A use of something that is used once, and how it is refused once it was used. */
interface Use {
  readonly use: (deps: Deps) => Promise<unknown>
  readonly refusedAs: RegExp
}

const uses: Readonly<Record<string, () => Promise<Use>>> = {
  async 'a recovery code'() {
    const { ada } = await withTotp()
    const [code = ''] = await createRecoveryCodes(bed.deps(), ada)
    const use = (deps: Deps) => verifyRecoveryCode(deps, { userId: ada.userId, code })
    return { use, refusedAs: /code_refused/ }
  },
  async 'a step of TOTP'() {
    const { ada, secret } = await withTotp()
    const code = codeOf(secret)
    const browser = { kind: 'pending', id: 'phone' } as const
    return {
      use: (deps) => verifyTotp(deps, { userId: ada.userId, securityRev: 0, code, browser }),
      refusedAs: /code_refused/,
    }
  },
  async 'a pending enrollment'() {
    const ada = await bed.person()
    const { secret } = await beginTotpEnrollment(bed.deps(), ada)
    const code = codeOf(secret)
    return { use: (deps) => confirmTotp(deps, ada, code), refusedAs: /enrollment_expired|totp_exists/ }
  },
  async 'a challenge for a new passkey'() {
    const ada = await bed.person()
    const challenge = challengeOf(await beginPasskeyRegistration(bed.deps(), ada))
    const response = softwareAuthenticator(ada.userId, place).register({ challenge })
    const use = (deps: Deps) => finishPasskeyRegistration(deps, ada, { response, name: 'One' })
    return { use, refusedAs: /passkey_refused/ }
  },
  async 'a challenge for a sign-in'() {
    const authenticator = await registeredPasskey(bed.deps(), await bed.person(), { counter: 0 })
    const challenge = challengeOf(await beginPasskeySignIn(bed.deps(), { purpose: 'only_factor' }))
    const response = authenticator.signIn({ challenge })
    const use = (deps: Deps) => verifyPasskeySignIn(deps, { purpose: 'only_factor' }, response)
    return { use, refusedAs: /passkey_refused/ }
  },
}

const codeIn = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error))

describe.each(Object.entries(uses))('What is used once: %s', (_, prepare) => {
  it('succeeds for exactly one of many at once, and for none after', async () => {
    const { use, refusedAs } = await prepare()
    // As other processes would: none has seen what the others did.
    const all = await Promise.allSettled(Array.from({ length: racers }, () => use(bed.deps())))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const others = all.flatMap((one) => (one.status === 'rejected' ? [codeIn(one.reason)] : []))
    for (const code of others) expect(code).toMatch(/refused|exists|expired|too_many_attempts|service_unavailable/)
    await expect(use(bed.deps()).catch((error) => Promise.reject(codeIn(error)))).rejects.toMatch(
      new RegExp(`${refusedAs.source}|too_many_attempts`),
    )
  })

  it.each<Moment>(['before', 'after'])(
    'is used at most once with a fault %s any call, which is never silent',
    async (moment) => {
      const { deps, calls } = failAt(bed.deps(), 0, moment)
      await (await prepare()).use(deps)
      expect(calls()).toBeGreaterThan(0)
      for (let at = 1; at <= calls(); at += 1) {
        const { use, refusedAs } = await prepare()
        const first = await use(failAt(bed.deps(), at, moment).deps).then(() => 'done', codeIn)
        const second = await use(bed.deps()).then(() => 'done', codeIn)
        const third = await use(bed.deps()).then(() => 'done', codeIn)
        // A fault is said to be one, never that the code or the response was wrong.
        expect([at, first]).toEqual([at, expect.stringMatching(/^(done|service_unavailable)$/)])
        if (first === 'done') expect([at, second]).toEqual([at, expect.stringMatching(refusedAs)])
        expect([at, third]).toEqual([at, expect.stringMatching(refusedAs)])
        if (moment === 'before' && first !== 'done') expect([at, second]).toEqual([at, 'done'])
      }
    },
  )

  it('is used once, and says so, where the answer to the write is lost on the wire', async () => {
    const { use, refusedAs } = await prepare()
    bed.calls().fail({ operation: 'TransactWriteItems', times: 1, kind: 'drop_after' })
    await use(bed.deps())
    await expect(use(bed.deps()).catch((error) => Promise.reject(codeIn(error)))).rejects.toMatch(refusedAs)
  })

  it('is not used where the store cannot write', async () => {
    const { use } = await prepare()
    bed.calls().fail({ operation: 'TransactWriteItems', times: 3, kind: 'drop_before' })
    await expect(use(bed.deps())).rejects.toMatchObject({ code: 'service_unavailable' })
    await expect(use(bed.deps())).resolves.not.toThrow()
  })
})
