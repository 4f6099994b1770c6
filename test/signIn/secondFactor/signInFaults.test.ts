import { describe, expect, it } from '@jest/globals'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { readSession } from '../../../lib/oauth/session/session.ts'
import { askSignIn } from '../../../lib/signIn/askSignIn.ts'
import { PENDING_SECONDS } from '../../../lib/signIn/pendingSignIn.ts'
import { submitSignIn } from '../../../lib/signIn/submitSignIn.ts'
import { pendingBrowser, scenes, signIns, withTotp } from './describeSignInFaults.ts'

const { bed, deps, newBrowser, send, forms } = signIns
const MINUTE = 60_000

describe('A sign-in whose tries cannot be taken back', () => {
  it('is never refused while its codes are right: each browser has tries of its own', async () => {
    const { ada, code } = await withTotp()
    const call = scenes['a code of the authenticator app']?.calls.indexOf('guesses.takeBack') ?? -1
    const browser = newBrowser()
    for (let signIn = 0; signIn < 12; signIn += 1) {
      await pendingBrowser(ada, browser)
      const step = await send(browser, forms.factor('totp', code()), deps({ call, when: 'before' }).deps)
      expect(step.step).toBe('signed_in')
      bed.wait(MINUTE)
    }
  })
})

describe('A session', () => {
  const ending = Object.entries(scenes).filter(([, { calls }]) => calls.includes('sessions.start'))

  it.each(ending)('is as old as %s, and keeps what it was signed in for', async (_, { prepare }) => {
    const { browser, form } = await prepare()
    const { deps: over } = deps()
    const [at, signedInFor] = [bed.clock.now(), digestSecret('the authorization request')]
    const current: typeof over.browserKeys.current = () => {
      bed.wait(MINUTE)
      return over.browserKeys.current()
    }
    const nameBrowser: typeof over.nameBrowser = (...given) => {
      bed.wait(MINUTE)
      return over.nameBrowser(...given)
    }
    const late = { ...over, browserKeys: { ...over.browserKeys, current }, nameBrowser }
    const step = await submitSignIn(late, { secret: browser.cookie, signedInFor }, form)
    if (!('session' in step)) throw new Error(step.step)
    const session = await readSession(over, step.session.started)
    expect(bed.clock.now()).toBeGreaterThan(at)
    expect(session).toMatchObject({ signedInFor, authentication: { at }, browser: 'Firefox on Linux' })
  })
})

describe('A pending sign-in', () => {
  it('asks for the second factor for 10 minutes, to the millisecond', async () => {
    const { ada } = await withTotp()
    const { cookie } = await pendingBrowser(ada)
    bed.wait(PENDING_SECONDS * 1000 - 1)
    expect(await askSignIn(deps().deps, cookie)).toMatchObject({ step: 'second_factor' })
    bed.wait(1)
    expect(await askSignIn(deps().deps, cookie)).toEqual({
      step: 'password',
      email: '',
      isAddressKnown: false,
      providers: [],
    })
  })
})
