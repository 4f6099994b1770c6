import type { OrganizationId } from '../../../lib/core/ids.ts'
import { type Answering, createOwner, type Owner } from './owner.ts'
import { createService, DAY, HOUR, type Service } from './service.ts'
import { createThief, type Deed } from './thief.ts'

/** The days that a story lasts from the theft on. */
const DAYS = 60

/** A story of a stolen password. */
export interface Story {
  /** What the thief does, as soon as it is possible. */
  readonly plan: readonly Deed[]
  /** Who acts first on each day. */
  readonly first: 'thief' | 'owner'
  /** The day on which the owner reads the mails. */
  readonly noticed: number
  /** How the owner answers: by everything that mails offer, by the links that undo alone, or by a reset of the password alone. */
  readonly by?: Answering
  /** What the owner had before the theft, for a month. */
  readonly owns: 'no factor' | 'a passkey'
  readonly organizations: 0 | 1 | 3
}

/** What came of a story. Days are counted from the theft. */
export interface Outcome {
  /** When the owner was in again; undefined if never. */
  readonly ownerBack: number | undefined
  /** The days on which the thief was in the account after that. */
  readonly thiefAfter: readonly number[]
  /** Whether the thief was ever in, without which a story shows nothing. */
  readonly wasRobbed: boolean
  /** Whether the owner still owns every organization, and nobody else does, and none is being deleted. */
  readonly ownsAll: boolean
  readonly refusals: readonly string[]
}

const PASSWORD = 'the owner’s phrase of old'

async function furnish(service: Service, owner: Owner, { owns }: Story): Promise<void> {
  await owner.browser.signIn(owner.email, PASSWORD)
  if (owns === 'a passkey') await owner.browser.addPasskey(owner.factors)
  service.wait(30 * DAY)
}

/** Plays a story to its end. */
export async function play(story: Story): Promise<Outcome> {
  const service = createService()
  const email = 'owner@example.com'
  const ownerId = await service.register(email, PASSWORD)
  const organizations: OrganizationId[] = Array.from({ length: story.organizations }, () => service.found(ownerId))
  const owner = createOwner(service, email, PASSWORD)
  await furnish(service, owner, story)
  const thief = createThief(service, { email, password: PASSWORD, organizations, ownerId })
  const start = service.now()
  const thiefIn: number[] = []
  let ownerBack: number | undefined

  for (let day = 0; day < DAYS; day += 1) {
    const turns = {
      async thief() {
        if (await thief.strike(story.plan)) thiefIn.push((service.now() - start) / DAY)
      },
      async owner() {
        if (day < story.noticed || ownerBack !== undefined) return
        if (await owner.recover(story.by)) ownerBack = (service.now() - start) / DAY
      },
    }
    for (const who of story.first === 'thief' ? (['thief', 'owner'] as const) : (['owner', 'thief'] as const)) {
      // On the day of the theft there is nothing to notice before it.
      if (day > 0 || who === 'thief' || story.first === 'thief') await turns[who]()
      service.wait(6 * HOUR)
    }
    service.wait(12 * HOUR)
  }
  return {
    ownerBack,
    thiefAfter: thiefIn.filter((at) => ownerBack !== undefined && at > ownerBack),
    wasRobbed: thiefIn.length > 0,
    ownsAll: organizations.every((id) => `${service.ownersOf(id)}` === ownerId && !service.isDeleted(id)),
    refusals: thief.refusals,
  }
}
