import { beforeAll, describe, expect, it } from '@jest/globals'
import { planCodes } from '../../../../lib/billing/catalog.ts'
import { checkout } from '../../../../lib/billing/checkout/checkout.ts'
import { emptySlot } from '../../../../lib/billing/slot/slot.ts'
import { toSubscription } from '../../../../lib/billing/slot/slotChange.ts'
import { organizationId, userId } from '../../../billing/fixtures.ts'
import { callsOf } from '../../../billing/gatewayCalls.ts'
import { createStories } from '../stories/createStories.ts'
import type { Story } from '../stories/story.ts'
import type { Operation } from '../world.ts'
import { exploreSchedules } from './exploreSchedules.ts'
import { type Act, acts, buyingAsShown } from './scheduleActs.ts'
import { stateOf } from './scheduleState.ts'

let stories: ReadonlyMap<string, Story> = new Map()
beforeAll(async () => {
  stories = new Map((await createStories()).map((story) => [story.name, story]))
})

/** Plays acts in every order, and the different states that they end in. */
async function every(name: string, played: readonly Act[], reduced: boolean) {
  const story = stories.get(name)
  if (!story) throw new Error(`There is no story ${name}`)
  const states = new Set<string>()
  const bounds = { preemptions: Number.POSITIVE_INFINITY, reduced }
  const explored = await exploreSchedules(story, played, bounds, (world, endings) =>
    states.add(`${stateOf(world, endings)} ${world.violations}`),
  )
  return { ...explored, states }
}

/** A purchase without a claim: it looks whether the slot is free, and sends under a key of its own. */
const careless: Act = () => async (deps) => {
  const { account, slot } = await deps.records.readSlot(organizationId, 'ota')
  if (!account?.customer || slot.subscription) return
  const [, customerId = ''] = account.customer.cipher.split('|')
  const prices = await callsOf(deps).prices()
  const plan_code = planCodes.ota
  const price = prices.kind === 'ok' ? prices.value.get(plan_code) : undefined
  if (!price) return
  const purchase = { organization_id: organizationId, product: 'ota' as const, plan_code, n: 1, user_id: userId }
  const frozen = callsOf(deps).freezeSubscription({ price, paymentMethodId: undefined, coupon: undefined, purchase })
  const now = deps.clock.now()
  const limits = { sendUntil: now + 8000, answerBy: now + 8000, resend: false }
  const bought = await callsOf(deps).createSubscription(frozen, customerId, deps.ids.uuid(), limits)
  if (bought.kind === 'ok') await deps.records.commit(toSubscription(slot, bought.value, now))
}

/** Gives back what the organization's subscription was paid, whatever became of it. */
const generous: Act = () => async (deps) => {
  const { slot } = await deps.records.readSlot(organizationId, 'ota')
  if (slot.subscription) await callsOf(deps).refundSubscription(slot.subscription.id)
}

describe('The search of schedules', () => {
  describe('Given a broken operation beside a person’s change', () => {
    it('finds a refund of what is no surplus', async () => {
      const story = stories.get('cancel now')
      if (!story) throw new Error('There is no such story')
      const bounds = { preemptions: Number.POSITIVE_INFINITY, reduced: true, hand: 'change its quantity' } as const
      const { finding } = await exploreSchedules(story, [generous], bounds)
      expect(finding?.broken).toContainEqual(expect.stringMatching(/^refunded sub_/))
    })

    it('finds a purchase at a price that its buyer was not shown', async () => {
      const story = stories.get('checkout with a coupon')
      if (!story) throw new Error('There is no such story')
      const forgetful: Act = ({ world }) => {
        const { request } = buyingAsShown(world, ['base_ota'])
        const operation: Operation = (deps) => checkout(deps, { ...request, expected: undefined })
        return Object.assign(operation, { request })
      }
      const hand = 'move the lookup key to another price'
      const bounds = { preemptions: Number.POSITIVE_INFINITY, reduced: true, hand } as const
      const { finding } = await exploreSchedules(story, [forgetful], bounds)
      expect(finding?.broken).toContainEqual(expect.stringMatching(/was sold at 5000, and its buyer was shown 4900$/))
    })

    it('finds what neither a request nor the reconciliation repairs or reports', async () => {
      const story = stories.get('cancel now')
      if (!story) throw new Error('There is no such story')
      const inventive: Act = () => async (deps) => {
        // Ended, and no subscription that has: the pass looks for neither.
        const made = { ...emptySlot(organizationId, 'monitoring'), rev: 1, state: 'canceled' } as const
        await deps.records.commit({ next: made })
      }
      const bounds = { preemptions: Number.POSITIVE_INFINITY, reduced: true, hand: 'remove its metadata' } as const
      const { finding } = await exploreSchedules(story, [inventive], bounds)
      expect(finding?.broken).toContainEqual(expect.stringMatching(/^not reported: /))
    })
  })

  describe.each([
    { name: 'cancel now', names: ['a cancellation', 'a cancellation at the end'] },
    { name: 'cancel now', names: ['a cancellation', 'a webhook'] },
    { name: 'webhooks of a purchase that crashed after it was sent', names: ['a webhook', 'another webhook'] },
    { name: 'webhooks of a subscription that the gateway ended', names: ['a cancellation', 'a webhook'] },
    { name: 'checkout with a coupon', names: ['a purchase', 'a card'] },
    { name: 'webhook of a deleted customer who holds no slot', names: ['a card', 'the webhook of the deletion'] },
  ] as const)('Given “$name”: $names.0 beside $names.1', ({ name, names }) => {
    it('reaches in fewer schedules every state that all orders reach', async () => {
      const chosen = names.map((act) => acts[act])
      const all = await every(name, chosen, false)
      const reduced = await every(name, chosen, true)
      expect([...reduced.states].toSorted()).toEqual([...all.states].toSorted())
      expect(reduced.schedules).toBeLessThan(all.schedules)
    })
  })

  describe('Given two purchases that claim nothing', () => {
    it('finds in all orders and in fewer the one that buys twice', async () => {
      const all = await every('checkout of a returning buyer', [careless, careless], false)
      const reduced = await every('checkout of a returning buyer', [careless, careless], true)
      for (const { finding } of [all, reduced]) {
        expect(finding?.broken.join('\n')).toContain('is held by two subscriptions')
      }
      expect([...reduced.states].toSorted()).toEqual([...all.states].toSorted())
      expect(reduced.schedules).toBeLessThan(all.schedules)
    })

    it('finds it within one preemption and not without any', async () => {
      const story = stories.get('checkout of a returning buyer')
      if (!story) throw new Error('There is no such story')
      const within = async (preemptions: number) =>
        (await exploreSchedules(story, [careless, careless], { preemptions, reduced: true })).finding
      expect(await within(0)).toBeNull()
      expect(await within(1)).not.toBeNull()
    })
  })
})
