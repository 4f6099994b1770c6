import { at } from '../at.ts'
import type { Visit } from '../explore.ts'
import { cancelOf, doneCancel, doneHook, hookOf, slotOf, subscriptionOf } from './slotCodes.ts'
import { beforeFetch, fetched, fetchedOwn, project, projected, type Seen } from './slotDecisions.ts'
import { ended, removed } from './slotRuns.ts'
import type { Cancel, Hook, Slot, SlotModelOptions, State, Subscription } from './slotState.ts'

/** Webhooks: every event at least once, in any order, until one delivery of it was acknowledged, and again after that. */
export function hookSteps(state: State, index: number, options: SlotModelOptions, visit: Visit<State>): void {
  const hook = at(state.hooks, index)
  const to = (label: string, next: Hook, change: Partial<State> = {}) =>
    visit(`h${index} ${label}`, { ...state, ...change, hooks: state.hooks.with(index, next) })
  const done = (label: string, change: Partial<State> = {}) => {
    const { subs } = { ...state, ...change }
    to(label, doneHook, { ...change, subs: acknowledged(subs, hook.sub, hook.event) })
  }

  if (hook.step === 'idle') {
    // One of the idle ones is as good as another.
    if (index > 0 && at(state.hooks, index - 1).step === 'idle') return
    state.subs.forEach((subscription, sub) => {
      subscription.history.forEach((status, before) => {
        const event = { sub, event: before + 1, status, covered: before + 1 }
        const label = `gets event ${event.event} of sub${sub} (${status}), reads the slot: ${state.slot.state}`
        to(label, hookOf({ ...event, step: 'read', slot: state.slot }))
      })
    })
  } else if (hook.step === 'read' && hook.slot) {
    const subscription = at(state.subs, hook.sub)
    const verdict = beforeFetch(hook.slot, hook.sub, hook.event, subscription)
    if (verdict !== 'fetch') done('has nothing to do')
    if (verdict === 'ignore') return
    if (options.without.has('the projection fetches the latest')) {
      to('trusts the event', asFetched(hook, hook))
      return
    }
    const latest = fetched(state, hook.sub)
    to(`fetches sub${hook.sub}: ${latest.status}`, asFetched(hook, latest))
  } else if (hook.step === 'fetched' && hook.slot) {
    const { n, history } = at(state.subs, hook.sub)
    const latest = { ...hook, n, paid: history.includes('live') }
    const projection = project(hook.slot, latest, options.without, fetchedOwn(state, hook.slot))
    if (typeof projection === 'string') {
      if (projection === 'surplus') done(`removes surplus sub${hook.sub}`, removed(state, hook.sub))
      else if (projection === 'report' && hook.slot.state === 'pending') to('answers 500', doneHook)
      else done('leaves it')
      return
    }
    const next = written(state.slot, projection, options.without.has('the projection compares and sets'))
    if (next && next.sub !== hook.sub) {
      to(`projects the end of sub${next.sub} first`, hookOf({ ...hook, step: 'read', slot: next }), { slot: next })
    } else if (next) done(`projects sub${hook.sub}: ${hook.status}`, { slot: next })
    else to('lost the slot, answers 500', doneHook)
  }
}

function asFetched(hook: Hook, { status, covered }: Pick<Seen, 'status' | 'covered'>): Hook {
  return hookOf({ ...hook, step: 'fetched', status, covered })
}

/** The event needs no other delivery, though it may get one. */
export function acknowledged(subs: readonly Subscription[], sub: number, event: number): readonly Subscription[] {
  const subscription = at(subs, sub)
  return subs.with(sub, subscriptionOf({ ...subscription, acked: subscription.acked | (1 << event) }))
}

/** The conditional write of a slot: undefined where another writer was faster, unless it is made without its condition. */
export function written(stored: Slot, next: Slot, unconditional: boolean): Slot | undefined {
  if (stored.rev === next.rev - 1) return next
  return unconditional ? slotOf({ ...next, rev: stored.rev + 1 }) : undefined
}

/** Cancellation by a member: the gateway first, the slot after. */
export function cancelSteps(state: State, index: number, { without }: SlotModelOptions, visit: Visit<State>): void {
  const { step, slot } = at(state.cancels, index)
  const to = (label: string, next: Cancel, change: Partial<State> = {}) =>
    visit(`c${index} ${label}`, { ...state, ...change, cancels: state.cancels.with(index, next) })

  if (step === 'idle') {
    if (index > 0 && at(state.cancels, index - 1).step === 'idle') return
    if (state.slot.state === 'held') to('reads the slot', cancelOf('read', state.slot))
  } else if (step === 'read' && slot) {
    const localFirst = without.has('cancel at the gateway first')
    const end: Seen = { ...fetched(state, slot.sub), status: 'ended' }
    if (localFirst) {
      const next = written(state.slot, projected(slot, end), false)
      if (next) to('frees the slot', cancelOf('gateway', slot), { slot: next })
      else to('lost the slot', doneCancel)
    } else {
      to(`cancels sub${slot.sub} at the gateway`, cancelOf('commit', slot), { subs: ended(state.subs, slot.sub) })
    }
  } else if (step === 'commit' && slot) {
    const next = written(state.slot, projected(slot, fetched(state, slot.sub)), false)
    const older = state.slot.sub === slot.sub && state.slot.seen !== 'ended'
    if (next) to('frees the slot', doneCancel, { slot: next })
    else if (older) to('lost the slot to an older projection', cancelOf('commit', state.slot))
    else to('finds the slot moved on', doneCancel)
  } else if (step === 'gateway' && slot) {
    to(`cancels sub${slot.sub} at the gateway`, doneCancel, { subs: ended(state.subs, slot.sub) })
  }
}
