import { organizationId } from '../billing/fixtures.ts'
import { type Gap, gapNames } from './gaps.ts'
import { buying, join, mustBuy, openOrganization, otherOrganization } from './storiesGround.ts'
import { storiesOfCarts } from './storiesOfCarts.ts'
import { storiesOfCheckout } from './storiesOfCheckout.ts'
import { storiesOfCustomers } from './storiesOfCustomers.ts'
import { storiesOfRepairs } from './storiesOfRepairs.ts'
import { storiesOfSubscriptions } from './storiesOfSubscriptions.ts'
import { type Beginning, createWorld, type Operation, type World } from './world.ts'

export { buying, otherOrganization }

/** What a story does: an operation, or whatever webhooks the gateway owes. */
export type Deed = Operation | 'webhooks'

/** A story as it is written down. */
export interface StoryPlan {
  name: string
  /** The card that the organization's customer has; left out for an organization without a customer. */
  card?: string
  /** Prepares the world with the real code and answers what is done in it. */
  prepare(world: World): Promise<Deed>
  /** What somebody else does where a call is overtaken: the same by default, for webhooks a purchase. */
  meanwhile?: Operation
  /** Leaves the webhooks of the preparation undelivered; they arrive with the first healing. */
  owing?: true
  /** All seven by default, for webhooks the six within which the gateway sends them again. */
  gaps?: readonly Gap[]
  /** How often it is repeated where nothing fails; once by default. */
  repeats?: number
  /** What is still wrong in the end, beyond what must hold for every story. */
  atRest?(world: World): string[]
}

/** One operation, in the world in which it is tried. */
export interface Story {
  name: string
  beginning: Beginning
  /** Ids of the other organization. */
  others: readonly string[]
  /** What is done, and repeated; the gateway repeats `webhooks` by itself. */
  operation: Deed
  /** When it is repeated. Stripe sends a webhook again for three days at most; what is lost after that is the reconciliation's. */
  gaps: readonly Gap[]
  /** What somebody else does where a call is overtaken. */
  meanwhile: Operation
  repeats: number
  atRest(world: World): string[]
}

const plans: readonly StoryPlan[] = [
  ...storiesOfCheckout,
  ...storiesOfCarts,
  ...storiesOfSubscriptions,
  ...storiesOfCustomers,
  ...storiesOfRepairs,
]

/** Every story, each with a world prepared by the real code. */
export async function createStories(): Promise<Story[]> {
  const stories: Story[] = []
  for (const plan of plans) stories.push(await tell(plan))
  return stories
}

async function tell(plan: StoryPlan): Promise<Story> {
  const world = createWorld(1)
  const others = await openOrganization(world, otherOrganization, 'pm_card_visa')
  await mustBuy(world, buying({ organizationId: otherOrganization }))
  if (plan.card === undefined) await join(world, organizationId)
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
