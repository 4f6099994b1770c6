import Stripe from 'stripe'
import { BillingError } from '../../../../lib/billing/errors.ts'
import { reconcile } from '../../../../lib/billing/reconcile/reconcile.ts'
import { organizationId } from '../../../billing/fixtures.ts'
import { hasEnded } from '../../commands/books.ts'
import { booked } from '../../commands/compare.ts'
import { type Day, passOneDay } from '../../commands/dailyPass.ts'
import { type HandName, hands } from '../../commands/dashboard.ts'
import { type Monitors, ownViolations } from '../../commands/monitors.ts'
import { boundCustomer } from '../../commands/session.ts'
import { acknowledgeWebhooks } from '../faults/faultRun.ts'
import type { Ending } from '../orders/gate.ts'
import { type Buying, isBuying } from '../stories/storiesGround.ts'
import type { Operation, World } from '../world.ts'
import type { Act } from './scheduleActs.ts'

const MINUTE = 60_000
const code = 'base_ota'

/** What a person does to the organization's `base_ota`, as one call, with whatever there is when its turn comes. */
export function byHand(hand: HandName): Act {
  return ({ world, observe }) =>
    (deps) =>
      deps.byHand(hand === 'restore an older item' ? 'store' : 'dashboard', async () => {
        // What was sold is learned before it is changed.
        observe()
        await change(hand, world)
      })
}

async function change(hand: HandName, world: World): Promise<void> {
  const books = world.stripe.core.control.state()
  const rows = booked(books, 0, code)
  const bound = boundCustomer(world, 0)
  // The pass that follows a restore is a part of the healing here.
  const session = { world, backups: new Map(), reconcile: async () => [] }
  try {
    await hands[hand]({
      sdk: world.stripe.sdk,
      session,
      organization: 0,
      code,
      live: rows.findLast((row) => !hasEnded(row)),
      latest: rows.at(-1),
      customer: books.customers.find(({ id }) => id === bound)?.id,
    })
  } catch (error) {
    // Stripe refuses a person as well: most changes of an incomplete subscription, a purchase without a card.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
  }
}

/** A request that was played, and what came of it. */
export interface Requested {
  operation: Operation
  ending: Ending<unknown>
}

/**
 * What is wrong where a person had a hand in it: buyers who were asked to repeat do so within the time that they may be refused,
 * webhooks arrive, and a day passes on which nothing else is asked for.
 * @param monitors that have observed the world since before the person's change
 */
export async function wrongByHand(
  world: World,
  monitors: Monitors,
  { hand, requested, at }: { hand: HandName; requested: readonly Requested[]; at: number },
): Promise<string[]> {
  const buyers = requested.flatMap(({ operation, ending }) => (isBuying(operation) ? [{ operation, ending }] : []))
  for (const { operation, ending } of buyers) answered(monitors, operation, ending, at)
  await acknowledgeWebhooks(world)
  for (const wait of [MINUTE, 21 * MINUTE]) {
    await world.pass(wait)
    for (const { operation, ending } of buyers) {
      if (!isBlocked(operation, ending)) continue
      const began = world.clock.now()
      answered(monitors, operation, await world.run(operation), began)
    }
    await acknowledgeWebhooks(world)
  }
  const pass = async (adoptOnly: boolean) => {
    const ending = await world.run((deps) => reconcile(deps, { finishBy: Infinity, begin: true, adoptOnly }))
    if (ending.kind !== 'answered') throw new Error('The reconciliation did not end')
    return ending.value.drift
  }
  const isRestored = hand === 'restore an older item'
  if (isRestored) await pass(true)
  const day: Day = { world, monitors, mishap: undefined, reconcile: () => pass(false) }
  const left = await passOneDay(day)
  const touched = new Set([`${organizationId}:ota`, `${organizationId}:monitoring`])
  // What was frozen is lost with the item: Stripe refuses another purchase under the same key, and nothing is bought.
  const violations = world.violations.filter((text) => !isRestored || !text.startsWith('not the frozen request'))
  return [
    ...ownViolations(violations, touched),
    ...monitors.observe(),
    ...left,
    ...(buyers.every(({ operation }) => operation.request.expected) ? soldUnseen(world, monitors) : []),
  ]
}

/** What was sold at another price than was listed when the schedule began. */
function soldUnseen(world: World, { origins }: Monitors): string[] {
  const { subscriptions, prices } = world.stripe.core.control.state()
  return subscriptions.flatMap(({ id, items }) => {
    const sold = items.data[0]?.price
    const shown = prices.find(({ product }) => product === sold?.product)
    if (!origins.has(id) || sold?.unit_amount === shown?.unit_amount) return []
    return [`${id} was sold at ${sold?.unit_amount}, and its buyer was shown ${shown?.unit_amount}`]
  })
}

function answered(monitors: Monitors, { request }: Buying, ending: Ending<unknown>, at: number): void {
  if (!request.productCodes.includes(code)) return
  monitors.answered({ organization: 0, code, answer: answerOf(ending), at, met: false, saved: false })
}

const isBlocked = ({ request }: Buying, ending: Ending<unknown>) =>
  request.productCodes.includes(code) && /gateway_unavailable|checkout_in_progress/.test(answerOf(ending))

/** The line's error, or the request's; `bought` where it was. */
function answerOf(ending: Ending<unknown>): string {
  if (ending.kind === 'failed') return ending.error instanceof BillingError ? ending.error.code : String(ending.error)
  if (ending.kind === 'crashed' || !Array.isArray(ending.value)) return 'crashed'
  const line = ending.value.find(({ productCode }) => productCode === code)
  return line?.ok ? 'bought' : String(line?.error)
}
