import { at } from '../at.ts'
import type { Visit } from '../explore.ts'
import type { SlotGuard } from '../guards/guards.ts'
import { changeOf, doneChange } from './slotCodes.ts'
import { fenced, fetched, projected } from './slotDecisions.ts'
import { written } from './slotProjection.ts'
import { changed } from './slotRuns.ts'
import { type Change, isLive, type Slot, type SlotModelOptions, type State } from './slotState.ts'

/** What a member changes of a subscription that is held: its end, or the payment of its open invoice. The gateway first, the slot after. */
export function changeSteps(state: State, index: number, { without }: SlotModelOptions, visit: Visit<State>): void {
  const change = at(state.changes, index)
  const { step, kind, slot } = change
  const to = (label: string, next: Change, more: Partial<State> = {}) =>
    visit(`x${index} ${label}`, { ...state, ...more, changes: state.changes.with(index, next) })
  if (step === 'idle') {
    if (index > 0 && at(state.changes, index - 1).step === 'idle') return
    if (state.slot.state !== 'held') return
    const kinds: readonly Change['kind'][] = isLive(state.slot.seen) ? ['schedule', 'resume'] : ['pay']
    for (const wanted of kinds) to(`reads the slot, to ${wanted}`, changeOf('read', wanted, state.slot))
  } else if (slot === null || step === 'done') {
    return
  } else if (step === 'read') {
    if (kind === 'pay') fenceForPayment()
    else changeEnd(kind)
  } else if (step === 'pay') {
    const pays = fetched(state, slot.sub).status === 'incomplete'
    const subs = pays ? changed(state.subs, slot.sub, 'live') : state.subs
    to(`pays the invoice of sub${slot.sub}`, changeOf('fetch', kind, slot), { subs })
  } else if (step === 'fetch') {
    const latest = fetched(state, slot.sub)
    to(`fetches sub${slot.sub}: ${latest.status}`, changeOf('commit', kind, slot, latest))
  } else {
    commit()
  }

  function changeEnd(wanted: 'schedule' | 'resume') {
    if (slot === null) return
    const status = wanted === 'schedule' ? 'scheduled' : 'live'
    const before = fetched(state, slot.sub).status
    const subs = before === 'ended' || before === status ? state.subs : changed(state.subs, slot.sub, status)
    to(`asks the gateway to ${wanted} sub${slot.sub}`, changeOf('commit', wanted, slot, fetched({ subs }, slot.sub)), {
      subs,
    })
  }

  function fenceForPayment() {
    if (slot === null) return
    const latest = fetched(state, slot.sub)
    const next = fenced(slot)
    if (latest.status !== 'incomplete') to('finds nothing to pay', changeOf('commit', kind, slot, latest))
    else if (state.slot.rev !== slot.rev) to('lost the fence', doneChange)
    else to('moves the fence', changeOf('pay', kind, next), { slot: next })
  }

  function commit() {
    if (slot === null || change.latest === null) return
    const next = written(state.slot, projected(slot, change.latest), false)
    if (next) to(`records sub${slot.sub}: ${change.latest.status}`, doneChange, { slot: next })
    else if (!isSame(state.slot, slot)) to('finds the slot moved on', doneChange)
    else if (without.has('a write that lost fetches anew' satisfies SlotGuard))
      to('lost the slot, writes the same again', changeOf('commit', kind, state.slot, change.latest))
    else to('lost the slot', changeOf('fetch', kind, state.slot))
  }
}

function isSame(stored: Slot, own: Slot): boolean {
  return stored.state === 'held' && stored.sub === own.sub
}
