import { fetchKnown } from '../gateway/gatewayFailure.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { type GatewaySubscription, isEnded } from '../gateway/subscription.ts'
import type { BillingDeps, Conflict } from './ports.ts'
import { type IgnoredBecause, type Projection, project, projectOwn } from './projection.ts'
import { completeCancellation } from './removeSubscription.ts'
import { isOf, type Slot } from './slot.ts'
import { commitChange } from './slotChange.ts'

type SynchronizeDeps = Pick<BillingDeps, 'records' | 'gateways' | 'clock' | 'logger'> & {
  /** Decides the same, and changes nothing at the gateway. */
  readonly dryRun?: boolean
}

/** A slot, and a subscription that was fetched for it. */
export interface Synchronized {
  slot: Slot
  latest: GatewaySubscription
}

/**
 * What a lost write is followed by: another try with slot and subscription, or with the slot alone, for which the subscription is fetched
 * again; or the end.
 */
export type Again<Result> =
  | ({ kind: 'found' } & Synchronized)
  | { kind: 'fetch'; slot: Slot }
  | { kind: 'done'; result: Result }

type Write = Extract<Projection, { kind: 'write' }>

/** What the caller does at each turn of a synchronization. When the synchronization ends, it returns the caller's own result. */
export interface SynchronizePolicy<Result> {
  /** `answer`: the gateway just answered with the subscription. `fetch`: the caller fetched it, which counts as a try. */
  first: 'answer' | 'fetch'
  /** What the subscription makes of the slot; `project` if left out. Set it if the caller holds the slot's claim. */
  decide?: typeof project
  /** Writes if the slot's `rev` is still what was read; `commitChange` if left out. */
  write?(found: Synchronized, projection: Write): Promise<Conflict | null>
  /** Another writer came first: slot and subscription for the next try, or the end of it. */
  again(found: Synchronized, conflict: Conflict): Promise<Again<Result>>
  written(found: Synchronized): Result
  /** Nothing is written. */
  ignored(found: Synchronized, because: IgnoredBecause): Result | Promise<Result>
  /** The subscription is surely a purchase of this slot that should not exist. */
  surplus(found: Synchronized): Result | Promise<Result>
  /** No rule decides what is right: a person has to look. */
  report(found: Synchronized, why: string): Result | Promise<Result>
  /** The gateway did not say how the slot's own subscription is, or the slot changed at every try. */
  unsettled(found: Synchronized, because: 'not_fetched' | 'kept_changing'): Result | Promise<Result>
}

/** How often a write is tried. If the first write is the caller's own answer, it comes before these. */
const TRIES = 3

/**
 * Brings a slot in line with a subscription of the gateway: decide, write on the condition of the slot's `rev`, and look again if the write
 * lost. If another subscription than the slot's own is live, fetches the slot's own before it decides anything. If the slot's own has ended,
 * writes that end first. Before it writes the end of a subscription that a user canceled, completes that cancellation.
 * @throws CommonError `service_unavailable`, BillingError `gateway_unavailable`, and whatever the policy throws
 */
export async function synchronizeSlot<Result>(
  deps: SynchronizeDeps,
  first: Synchronized,
  policy: SynchronizePolicy<Result>,
): Promise<Result> {
  let found = first
  for (let tries = policy.first === 'answer' ? 0 : 1; tries <= TRIES; tries += 1) {
    const projection = await completeEnd(deps, await decideBesideOwn(deps, found, policy))
    switch (projection.kind) {
      case 'ignore':
        return policy.ignored(found, projection.because)
      case 'surplus':
        return policy.surplus(found)
      case 'report':
        return policy.report(found, projection.why)
      case 'fetch_own':
        return policy.unsettled(found, 'not_fetched')
    }
    const conflict = policy.write
      ? await policy.write(found, projection)
      : await commitChange(deps.records, projection.change)
    const { latest } = found
    if (!conflict) {
      found = { slot: projection.change.next, latest }
      if (projection.written === latest) return policy.written(found)
    } else if (tries < TRIES) {
      const next = await policy.again(found, conflict)
      if (next.kind === 'done') return next.result
      const slot = next.slot
      const fetched = next.kind === 'fetch' ? await fetchOf(deps, slot, latest.id) : undefined
      if (fetched && fetched.kind !== 'found') return policy.unsettled({ slot, latest }, 'not_fetched')
      found = next.kind === 'found' ? next : { slot, latest: fetched?.subscription ?? latest }
    } else found = { slot: conflict.slot ?? found.slot, latest }
  }
  return policy.unsettled(found, 'kept_changing')
}

/** A subscription as the slot's gateway has it. */
function fetchOf({ gateways }: SynchronizeDeps, slot: Slot, id: string): ReturnType<typeof fetchKnown> {
  return fetchKnown(gatewayOf(gateways, slot), id)
}

/** Decides, with the slot's own subscription if that matters. `fetch_own` is left if the gateway did not answer. */
async function decideBesideOwn<Result>(
  deps: SynchronizeDeps,
  { slot, latest }: Synchronized,
  { decide = project }: SynchronizePolicy<Result>,
): Promise<Projection> {
  const projection = decide(slot, latest, deps.clock.now())
  if (projection.kind !== 'fetch_own') return projection
  const own = await fetchOf(deps, slot, projection.subscriptionId)
  if (own.kind === 'unknown') return projection
  return decide(slot, latest, deps.clock.now(), own.kind === 'found' ? own.subscription : 'missing')
}

/** A cancellation is complete before its end is written: who writes the end makes up for what a crash left out. */
async function completeEnd(deps: SynchronizeDeps, projection: Projection): Promise<Projection> {
  if (projection.kind !== 'write' || deps.dryRun) return projection
  const { written, change } = projection
  const { next } = change
  if (!(await completeCancellation(deps, written)) || !isOf(next, written.id)) return projection
  return {
    ...projection,
    change: { ...change, next: { ...next, subscription: { ...next.subscription, refunded: true } } },
  }
}

/**
 * Writes what the gateway answered to a change of a slot's own subscription over an older projection of it. If another writer came first,
 * either answer may be older, however their clocks compare. So it fetches the subscription and writes again. If that keeps losing or the
 * gateway does not answer, the event about the change writes the same.
 * @returns the slot as it is stored now, and the gateway's last answer
 * @throws CommonError `service_unavailable`, BillingError `gateway_unavailable`
 */
export function recordSubscription(
  deps: SynchronizeDeps,
  slot: Slot,
  latest: GatewaySubscription,
): Promise<Synchronized> {
  const keep = (found: Synchronized) => found
  return synchronizeSlot(
    deps,
    { slot, latest },
    {
      first: 'answer',
      decide: projectOwn,
      async again(found, conflict) {
        const slot = conflict.slot ?? found.slot
        const isOver = !isOf(slot, latest.id) || isEnded(slot.subscription.status)
        return isOver ? { kind: 'done', result: { ...found, slot } } : { kind: 'fetch', slot }
      },
      written: keep,
      ignored: keep,
      surplus: keep,
      report: keep,
      unsettled: keep,
    },
  )
}
