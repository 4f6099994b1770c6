import { describe, expect, it } from '@jest/globals'
import { takeResetSteps } from '../../../lib/authenticators/recovery/takeResetSteps.ts'
import { noFactors, openBrowser } from './browser.ts'
import { DAYS, EMAIL, expectBack, OLD, stories, thiefOf, thieves } from './lostFactorStories.ts'
import { createService, DAY } from './service.ts'

// The deep tests play all of them.
const some = stories.filter(({ noticed, organizations }) => noticed === 3 && organizations < 3)

describe('An owner with the mailbox who has lost every second factor, or is asked for a thief’s', () => {
  // [threat 103.1]
  it.each(thieves)(
    'is back within 7 days, in any order, with any organizations, and the thief is out from then on: %s',
    (thief) => expectBack(some.filter((story) => story.thief === thief)),
    120_000,
  )
})

describe('A thief with the password and without the mailbox', () => {
  // [threat 103]
  it('never gets in by asking for the removal, in 60 days', async () => {
    const service = createService()
    await service.register(EMAIL, OLD)
    const home = openBrowser(service)
    const device = noFactors()
    await home.signIn(EMAIL, OLD)
    await home.addPasskey(device)
    service.wait(30 * DAY)
    const thief = thiefOf(service, 'the password')
    for (let day = 0; day < DAYS; day += 1) {
      expect(await thief.strike()).toBe(false)
      service.wait(DAY)
      await takeResetSteps(service.deps, Number.POSITIVE_INFINITY)
    }
    expect(await openBrowser(service).signIn(EMAIL, OLD, device)).toBe('in')
  })
})
