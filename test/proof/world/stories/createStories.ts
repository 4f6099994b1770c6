import { organizationId } from '../../../billing/fixtures.ts'
import { gapNames } from '../gaps.ts'
import { createWorld } from '../world.ts'
import { buying, join, mustBuy, openInvoiced, openOrganization, otherOrganization } from './storiesGround.ts'
import { storiesOfCarts } from './storiesOfCarts.ts'
import { storiesOfCheckout } from './storiesOfCheckout.ts'
import { storiesOfCustomers } from './storiesOfCustomers.ts'
import { storiesOfInvoices } from './storiesOfInvoices.ts'
import { storiesOfRepairs } from './storiesOfRepairs.ts'
import { storiesOfSelfService } from './storiesOfSelfService.ts'
import { storiesOfSubscriptions } from './storiesOfSubscriptions.ts'
import { storiesOfSurplus, surplusPaidMeanwhile } from './storiesOfSurplus.ts'
import type { Story, StoryPlan } from './story.ts'

/** How the name of a story of an organization that is sent invoices ends. */
const BY_INVOICE = ' by invoice'

const byCard: readonly StoryPlan[] = [
  ...storiesOfCheckout,
  ...storiesOfCarts,
  ...storiesOfSubscriptions,
  ...storiesOfSelfService,
  ...storiesOfCustomers,
  ...storiesOfRepairs,
  ...storiesOfSurplus,
]
/** The same for an organization that is sent invoices: everything that a card which pays is enough for. */
const byInvoice = byCard.filter(({ card, aboutCards }) => card === 'pm_card_visa' && !aboutCards).map(invoiced)
const plans = [...byCard, ...byInvoice, ...storiesOfInvoices, surplusPaidMeanwhile]

function invoiced({ card: _card, ...plan }: StoryPlan): StoryPlan {
  return { ...plan, name: `${plan.name}${BY_INVOICE}`, gateway: 'invoice' }
}

export const storyNames = plans.map(({ name }) => name)

/** Every story, or those whose names are chosen, each with a world prepared by the real code. */
export async function createStories(chosen: (name: string) => boolean = () => true): Promise<Story[]> {
  const stories: Story[] = []
  for (const plan of plans.filter(({ name }) => chosen(name))) stories.push(await prepareStory(plan))
  return stories
}

/** @throws Error where no story has this name */
export async function createStory(name: string): Promise<Story> {
  const [story] = await createStories((other) => other === name)
  if (!story) throw new Error(`There is no story ${name}`)
  return story
}

async function prepareStory(plan: StoryPlan): Promise<Story> {
  const world = createWorld(1)
  const others = await openOrganization(world, otherOrganization, 'pm_card_visa')
  await mustBuy(world, buying({ organizationId: otherOrganization }))
  if (plan.gateway === 'invoice') await openInvoiced(world, organizationId)
  else if (plan.card === undefined) await join(world, organizationId)
  else await openOrganization(world, organizationId, plan.card)
  const operation = await plan.prepare(world)
  if (operation !== 'webhooks' && !plan.owing) await world.deliverWebhooks()
  const { subscriptions } = world.stripe.core.control.state()
  const theirs = subscriptions.filter(({ metadata }) => metadata.organization_id === otherOrganization)
  const beginning = world.begin()
  world.close()
  return {
    name: plan.name,
    beginning,
    others: [...others, ...theirs.map(({ id }) => id)],
    operation,
    meanwhile: plan.meanwhile ?? (operation === 'webhooks' ? buying({}) : operation),
    gaps: plan.gaps ?? (operation === 'webhooks' ? gapNames.filter((gap) => gap !== '+30 d') : gapNames),
    repeats: plan.repeats ?? 1,
    atRest: plan.atRest ?? (() => []),
  }
}
