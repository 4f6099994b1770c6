import type { Gap } from '../gaps.ts'
import type { Healer } from '../healers.ts'
import type { Beginning, Operation, World } from '../world.ts'

/** What a story does: an operation, or whatever webhooks the gateway owes. */
type Deed = Operation | 'webhooks'

/** A story as it is written down. */
export interface StoryPlan {
  name: string
  /** The card that the organization's customer has; left out for an organization without a customer. */
  card?: string
  /** It is about cards, which an organization that is sent invoices has none of. */
  aboutCards?: true
  /** The gateway that serves the organization, `card` by default. By `invoice`, its customer has what invoices need, and no card. */
  gateway?: 'invoice'
  /** Prepares the world with the real code. Returns what is done in it. */
  prepare(world: World): Promise<Deed>
  /** What another caller does where a call is overtaken: the same by default, for webhooks a purchase. */
  meanwhile?: Operation
  /** Leaves the webhooks of the preparation undelivered; they arrive with the first healing. */
  owing?: true
  /** All seven by default, for webhooks the six within which the gateway sends them again. */
  gaps?: readonly Gap[]
  /** How often it is repeated where nothing fails; once by default. */
  repeats?: number
  /** What is still wrong in the end, beyond what must hold for every story. */
  atRest?(world: World, healer?: Healer): string[]
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
  /** What another caller does where a call is overtaken. */
  meanwhile: Operation
  repeats: number
  atRest(world: World, healer?: Healer): string[]
}
