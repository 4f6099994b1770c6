import { projectEvent } from '../../../../lib/billing/events/projectEvent.ts'
import { released } from '../../../../lib/billing/slot/slot.ts'
import { organizationId } from '../../../billing/fixtures.ts'
import type { Gap } from '../gaps.ts'
import type { World } from '../world.ts'
import { after, buying, failing, mustBuy, reconciling, sending } from './storiesGround.ts'
import { payOnPage } from './storiesOfInvoices.ts'
import type { StoryPlan } from './story.ts'

const HOUR = 3_600_000
/** By when a draft was sent. */
const SENT = 2 * HOUR
/** What is older than a day is not surely surplus any more. */
const withinADay: readonly Gap[] = ['+1 s', '+1 min', '+1 h', '+19 h 59', '+20 h']

/**
 * A purchase that was given up before it came into effect, against all that is assumed of the gateway, and the next one, which its
 * slot has. By now both were charged for, or their invoices are open.
 */
async function buyTwice(world: World): Promise<void> {
  await world.deliverWebhooks()
  await failing(world, buying({}), [sending('crash after')])
  const { slot } = await world.records.readSlot(organizationId, 'ota')
  world.records.overwrite(released(slot))
  world.stripe.core.control.changeSettings({ one_live_per: [] })
  await mustBuy(world, buying({}))
  await world.pass(SENT)
}

/** Handles its first event, and crashes between its end and what is to be done then. */
async function crashAfterEnd(world: World): Promise<void> {
  const [event] = world.owedEvents()
  if (!event) throw new Error('An event of the surplus is owed')
  await failing(world, (deps) => projectEvent(deps, event), [
    { at: '0/gateway.refundSubscription#1', kind: 'crash before' },
  ])
}

/** What should not exist beside its slot's own subscription: canceled, and then what was paid of it goes back. */
export const storiesOfSurplus: readonly StoryPlan[] = [
  {
    name: 'webhooks of surplus',
    card: 'pm_card_visa',
    gaps: withinADay,
    prepare: after([buyTwice], 'webhooks'),
    atRest: onlyTheOwn,
  },
  {
    name: 'webhooks of surplus whose removal crashed after its end',
    card: 'pm_card_visa',
    prepare: after([buyTwice, crashAfterEnd], 'webhooks'),
    atRest: onlyTheOwn,
  },
  {
    name: 'reconciliation of surplus whose removal crashed after its end',
    card: 'pm_card_visa',
    owing: true,
    prepare: after([buyTwice, crashAfterEnd], reconciling),
    atRest: onlyTheOwn,
  },
]

/** The same where it was sent an invoice for, which must not be paid any more, and was. */
export const surplusPaidMeanwhile: StoryPlan = {
  name: 'webhooks of surplus that was paid between its end and its voiding by invoice',
  gateway: 'invoice',
  prepare: after([buyTwice, crashAfterEnd, payOnPage], 'webhooks'),
  atRest: onlyTheOwn,
}

/** The slot has its own purchase, and the surplus has ended. */
function onlyTheOwn(world: World): string[] {
  const { subscriptions } = world.stripe.core.control.state()
  const own = subscriptions.filter(({ metadata }) => metadata.organization_id === organizationId)
  const ended = own.flatMap(({ status, metadata }) => (status === 'canceled' ? [metadata.n] : []))
  return own.length === 2 && ended.join() === '1' ? [] : [`of ${own.length} subscriptions, ${ended.join()} ended`]
}
