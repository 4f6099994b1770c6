import { answers, doneWorker, slotOf, workerOf } from './slotCodes.ts'
import { fetched, fetchedOwn, project, released, settledOn } from './slotDecisions.ts'
import { written } from './slotProjection.ts'
import { ended, removed } from './slotRuns.ts'
import { type Answer, FLIGHT, REPLAY_WINDOW } from './slotState.ts'
import { buyAnew, giveUp, has, moved, settle, type Turn } from './slotTurn.ts'

/** The table that decides money. */
export function decide(turn: Turn): void {
  const { worker, slot, without, to } = turn
  const answer = worker.answer ?? answers.unknown
  const sentBefore = worker.mode !== 'send' || worker.attempts > 1
  const free = () => settle(turn, `frees the slot: ${answer.kind}`, released(slot))
  if (answer.kind === 'subscription') {
    settleSubscription(turn, answer)
    return
  }
  if (answer.kind === 'refused' || (answer.kind === 'busy' && !sentBefore)) {
    free()
    return
  }
  if (
    answer.kind === 'rejected' &&
    (!sentBefore || has(without, 'unsaved rejection after an earlier attempt is unknown'))
  ) {
    free()
    return
  }
  if ((answer.kind === 'rejected' || answer.kind === 'busy') && notCounted(turn)) {
    const slotBefore = slotOf({ ...slot, last: worker.before })
    to('must list, for it sent nothing', workerOf({ ...worker, step: 'list', answer: null, slot: slotBefore }))
    return
  }
  if (has(without, 'unknown is never a refusal')) {
    free()
    return
  }
  if (answer.kind === 'failed') to('must list', workerOf({ ...worker, step: 'list', answer: null, saved: true }))
  else giveUp(turn, answer.kind)
}

/** Nothing of this invocation can still be executed where its only attempt was rejected. */
function notCounted({ worker, without }: Turn): boolean {
  const onlyAttempt = worker.attempts === 1 || has(without, 'a sending counts unless its only attempt was rejected')
  return worker.mode === 'replay' && onlyAttempt
}

function settleSubscription(turn: Turn, answer: Extract<Answer, { kind: 'subscription' }>): void {
  const { state, worker, slot, without, to } = turn
  const { sub, status } = answer
  if (answer.replayed && !has(without, 'a replayed answer is fetched anew')) {
    to('looks', moved(worker, 'fetch'))
    return
  }
  if (status === 'declined') {
    if (!has(without, 'cancel a declined purchase before freeing')) {
      to('cancels', moved(worker, 'cancelFirst'))
      return
    }
    const next = written(state.slot, released(slot), false)
    if (next) to('frees the slot before it cancels', moved(worker, 'cancelLate'), { slot: next })
    else to('lost the slot', doneWorker)
    return
  }
  const { paid } = fetched(state, sub)
  const next = settledOn(slot, { ...answer, n: slot.n, paid })
  const stored = written(state.slot, next, has(without, 'settle on the rev of the claim'))
  if (!stored) {
    settleLost(turn, answer)
    return
  }
  if (status === 'ended') buyAnew(turn, `finds sub${sub} ended`, stored, { slot: stored })
  else to(`settles on sub${sub}: ${status}`, doneWorker, { slot: stored })
}

/** Somebody else wrote the slot since it was claimed. */
function settleLost(
  { state, worker, slot, without, to }: Turn,
  { sub, status }: Extract<Answer, { kind: 'subscription' }>,
): void {
  const current = state.slot
  const samePurchase = current.n === slot.n && current.state !== 'held'
  const mine = current.sub === sub || samePurchase || status === 'ended'
  if (mine) {
    to('lost the slot to its own purchase', doneWorker)
    return
  }
  const beside = project(current, fetched(state, sub), without, fetchedOwn(state, current))
  if (beside === 'surplus' || (typeof beside !== 'object' && worker.mode === 'send')) {
    to(`lost the slot, removes the orphan sub${sub}`, doneWorker, removed(state, sub))
  } else if (typeof beside !== 'object') to(`lost the slot, reports sub${sub}`, doneWorker)
  else if (beside.sub === sub) to(`takes the slot for sub${sub}`, doneWorker, { slot: beside })
  else {
    const next = project(beside, fetched(state, sub), without, fetchedOwn(state, beside))
    to(`takes the slot for sub${sub} after the end of sub${beside.sub}`, doneWorker, {
      slot: typeof next === 'object' ? next : beside,
    })
  }
}

/** Quiet for long enough that nothing sent can still be on its way, and no failure left that the gateway may roll forward. */
export function canNoLongerArrive({ state, slot, worker, without }: Turn): boolean {
  const quiet = state.now - slot.last > FLIGHT || has(without, 'quiet period before giving up')
  if (slot.savedAt < 0 && !worker.saved) return quiet
  const settled = slot.savedAt >= 0 && state.now - slot.savedAt >= REPLAY_WINDOW
  return quiet && (settled || has(without, 'a stored failure waits for 20 h as well'))
}

/** The list showed nothing, when nothing could arrive any more. */
export function absent(turn: Turn): void {
  const stored = written(turn.state.slot, released(turn.slot), has(turn.without, 'settle on the rev of the claim'))
  if (stored) buyAnew(turn, 'absent for good: frees the slot', stored, { slot: stored })
  else turn.to('lost the slot', doneWorker)
}

/** The list showed nothing while something could still arrive: time that passes after it proves nothing. */
export function unsure(turn: Turn): void {
  const judgedLate = has(turn.without, 'the quiet period has passed before the list is read')
  if (judgedLate && canNoLongerArrive(turn)) absent(turn)
  else giveUp(turn, 'absent, but may still arrive', turn.worker.saved ? { savedAt: turn.state.now } : {})
}

/** A declined purchase is canceled before its slot is released. */
export function cancelFirst(turn: Turn): void {
  const { state, worker, to } = turn
  if (worker.answer?.kind !== 'subscription') return
  const { sub } = worker.answer
  const subs = ended(state.subs, sub)
  to(`cancels the declined sub${sub}`, moved(worker, 'freeAfterCancel', null), { subs })
  if (state.faults > 0) giveUp({ ...turn, state: { ...state, faults: state.faults - 1 } }, 'cancellation unheard')
}
