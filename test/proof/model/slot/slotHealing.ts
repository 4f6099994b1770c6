import { at } from '../at.ts'
import {
  beforeFetch,
  type Fetched,
  fetched,
  fetchedOwn,
  listed,
  project,
  projected,
  released,
  settledOn,
} from './slotDecisions.ts'
import { acknowledged } from './slotProjection.ts'
import { ended, statusOf } from './slotRuns.ts'
import { isLive, type Slot, type SlotModelOptions, type State, type Subscription } from './slotState.ts'

/** What must hold in every state, by what its breach is called. */
export type SlotViolation =
  | 'two live subscriptions'
  | 'one purchase charged twice'
  | 'bought for a request that asked for something else'
  | 'what staff made was removed'
  | 'the slot differs from the gateway after healing'

type Books = Pick<State, 'slot' | 'subs'>

/** Judges states; what a slot and the gateway's books heal to is worked out once for each pair. */
export function createSlotJudge({ without }: SlotModelOptions): (state: State) => SlotViolation | undefined {
  const verdicts = new Map<string, SlotViolation | undefined>()
  return ({ slot, subs, unwanted, unasked }) => {
    if (unasked) return 'what staff made was removed'
    if (unwanted) return 'bought for a request that asked for something else'
    const key = `${slot.code}|${subs.map(({ code }) => code).join()}`
    if (verdicts.has(key)) return verdicts.get(key)
    const verdict = judge({ slot, subs }, without)
    verdicts.set(key, verdict)
    return verdict
  }
}

function judge(books: Books, without: SlotModelOptions['without']): SlotViolation | undefined {
  const sold = books.subs.filter(({ byHand }) => !byHand)
  if (sold.filter((subscription) => isLive(statusOf(subscription))).length > 1) return 'two live subscriptions'
  const charged = sold.filter(({ history }) => history.includes('live')).map(({ n }) => n)
  if (new Set(charged).size < charged.length) return 'one purchase charged twice'
  // What is beside a pending purchase is answered 500, and comes again once that is settled.
  const healed = passed(delivered(repeated(delivered(books, without)), without), without)
  return agrees(healed) ? undefined : 'the slot differs from the gateway after healing'
}

/** Every invocation has crashed; the gateway delivers every event that it still owes. */
function delivered(books: Books, without: SlotModelOptions['without']): Books {
  let { slot, subs } = books
  for (let sub = 0; sub < subs.length; sub += 1) {
    for (let event = 1; event <= at(subs, sub).history.length; event += 1) {
      const subscription = at(subs, sub)
      if (subscription.acked & (1 << event)) continue
      const owed = subs
      subs = acknowledged(subs, sub, event)
      if (beforeFetch(slot, sub, event, subscription) !== 'fetch') continue
      const { n, history } = subscription
      const signed = { sub, n, status: at(history, event - 1), covered: event, paid: history.includes('live') }
      const latest = without.has('the projection fetches the latest') ? signed : fetched({ subs }, sub)
      const projection = projectTwice({ slot, subs }, latest, without)
      if (projection === 'report' && slot.state === 'pending') subs = owed
      if (projection === 'surplus') subs = ended(subs, sub)
      else if (typeof projection === 'object') slot = projection
    }
  }
  return { slot, subs }
}

/** Where the end of the slot's own was written, the slot is read again. */
function projectTwice({ slot, subs }: Books, latest: Fetched, without: SlotModelOptions['without']) {
  const first = project(slot, latest, without, fetchedOwn({ subs }, slot))
  return typeof first === 'object' && first.sub !== latest.sub ? project(first, latest, without) : first
}

/** Where staff made one, the daily pass comes back to what may have been only reported when its event came. */
function passed(books: Books, without: SlotModelOptions['without']): Books {
  if (!books.subs.some(({ byHand }) => byHand)) return books
  const live = books.subs.flatMap((subscription, index) => (isLive(statusOf(subscription)) ? [index] : []))
  const own = books.slot.sub < 0 ? [] : [books.slot.sub]
  const { subs } = books
  let { slot } = books
  for (const index of [...own, ...live]) {
    const projection = projectTwice({ slot, subs }, fetched(books, index), without)
    if (typeof projection === 'object') slot = projection
  }
  return { slot, subs }
}

/** One request a day later, without faults, up to where it would buy anew. */
function repeated({ slot, subs }: Books): Books {
  if (slot.state === 'free') return { slot, subs }
  if (slot.state === 'held') {
    // A live one is answered as it is; only an incomplete one is looked at.
    return slot.seen === 'incomplete' ? { slot: projected(slot, fetched({ subs }, slot.sub)), subs } : { slot, subs }
  }
  const found = listed({ subs }, slot.n)
  if (found === undefined) return { slot: released(slot), subs }
  const latest = fetched({ subs }, found)
  if (latest.status === 'declined') return { slot: released(slot), subs: ended(subs, found) }
  return { slot: settledOn(slot, latest), subs }
}

function agrees({ slot, subs }: { slot: Slot; subs: readonly Subscription[] }): boolean {
  const open = subs.flatMap((subscription, index) => (statusOf(subscription) === 'ended' ? [] : [index]))
  if (slot.state !== 'held') return open.length === 0
  // What staff made beside the slot's own is reported, and so is the slot's own beside what staff made in its place.
  const reported = (index: number) => at(subs, index).byHand || at(subs, slot.sub).byHand
  const others = open.filter((index) => index !== slot.sub && !reported(index))
  return others.length === 0 && open.includes(slot.sub) && statusOf(at(subs, slot.sub)) === slot.seen
}
