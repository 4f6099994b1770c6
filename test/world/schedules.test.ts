import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { cancel } from '../../lib/billing/cancel.ts'
import { projectEvent } from '../../lib/billing/projectEvent.ts'
import { createSetupIntent } from '../../lib/billing/setupIntent.ts'
import { organizationId, userId } from '../billing/fixtures.ts'
import { type Act, exploreSchedules } from './exploreSchedules.ts'
import { buying, createStories, type Story } from './operations.ts'

const PREEMPTIONS = 2

let stories: readonly Story[] = []
let schedules = 0
let pairs = 0
beforeAll(async () => {
  stories = await createStories()
})
afterAll(() => {
  process.stdout.write(
    `schedules: ${pairs} pairs of operations, at most ${PREEMPTIONS} preemptions, ${schedules} schedules\n`,
  )
})

const acts = {
  'a purchase': () => buying({}),
  'a purchase with a coupon': () => buying({ couponCode: 'half' }),
  'a purchase of another product with the coupon': () =>
    buying({ couponCode: 'half', productCodes: ['addon_monitoring'] }),
  'a card': () => (deps) => createSetupIntent(deps, { organizationId, userId }),
  'a cancellation': () => (deps) => cancel(deps, { organizationId, userId, product: 'ota', atPeriodEnd: false }),
  'a cancellation at the end': () => (deps) =>
    cancel(deps, { organizationId, userId, product: 'ota', atPeriodEnd: true }),
  'a webhook': (world) => {
    const [event] = world.owedEvents()
    return async (deps) => event && projectEvent(deps, event)
  },
} as const satisfies Record<string, Act>
type ActName = keyof typeof acts

const settings: readonly { story: string; names: readonly ActName[] }[] = [
  {
    story: 'checkout with a coupon',
    names: ['a purchase', 'a purchase with a coupon', 'a purchase of another product with the coupon', 'a card'],
  },
  { story: 'checkout of a first buyer', names: ['a purchase', 'a card'] },
  { story: 'cancel now', names: ['a purchase', 'a cancellation', 'a cancellation at the end'] },
  {
    story: 'webhooks of a purchase that crashed after it was sent',
    names: ['a purchase', 'a cancellation', 'a webhook'],
  },
  {
    story: 'webhooks of a subscription that the gateway ended',
    names: ['a purchase', 'a cancellation', 'a cancellation at the end', 'a webhook'],
  },
  { story: 'resume with another card', names: ['a purchase', 'a cancellation', 'a purchase with a coupon'] },
]

describe.each(settings)('In the world of “$story”', ({ story: name, names }) => {
  const both = names.flatMap((first, index) => names.slice(index).map((second): [ActName, ActName] => [first, second]))

  it.each(both)(
    '%s beside %s keeps every rule in every order of their calls with at most two preemptions',
    async (first, second) => {
      const story = stories.find((candidate) => candidate.name === name)
      if (!story) throw new Error(`There is no story ${name}`)
      const explored = await exploreSchedules(story, [acts[first], acts[second]], PREEMPTIONS, buying({}))
      schedules += explored.schedules
      pairs += 1
      expect(explored.finding).toBeNull()
    },
    120_000,
  )
})
