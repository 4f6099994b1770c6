import { at } from '../at.ts'
import type { Visit } from '../explore.ts'
import { answerOf, answers, doneWorker, requestOf, workerOf } from './slotCodes.ts'
import { claimed, fenced, fetched, listed, projected, released, type Seen, takenOver } from './slotDecisions.ts'
import { written } from './slotProjection.ts'
import { changed, ended } from './slotRuns.ts'
import { absent, cancelFirst, canNoLongerArrive, decide, unsure } from './slotSettle.ts'
import { isLive, REPLAY_WINDOW, type SlotModelOptions, type State, type Wants, type Worker } from './slotState.ts'
import { buyAnew, giveUp, has, moved, settle, type Turn } from './slotTurn.ts'

/** Two wire attempts for one purchase in one request. */
const ATTEMPTS = 2

/** The steps of a checkout: read, claim, send, settle, or resume what another one left. */
export function workerSteps(state: State, index: number, { without }: SlotModelOptions, visit: Visit<State>): void {
  const worker = at(state.workers, index)
  const to: Turn['to'] = (label, next, change = {}) =>
    visit(`w${index} ${label}`, { ...state, ...change, workers: state.workers.with(index, next) })

  if (worker.step === 'idle') {
    if (index > 0 && at(state.workers, index - 1).step === 'idle') return
    const choices: readonly Wants[] = index === 0 ? [0] : [0, 1, 'nothing']
    for (const wants of choices) {
      const what = wants === 'nothing' ? '' : `, wants ${wants}`
      to(`reads the slot: ${state.slot.state}${what}`, workerOf({ ...worker, step: 'read', slot: state.slot, wants }))
    }
  } else if (worker.slot) {
    steps[worker.step]({ state, worker, slot: worker.slot, index, without, to })
  }
}

const steps: Readonly<Record<Worker['step'], (turn: Turn) => void>> = {
  idle: () => {},
  done: () => {},
  read: claim,
  send,
  wait,
  answered: decide,
  fetch: ({ state, worker, to }) => {
    if (worker.answer?.kind !== 'subscription') return
    const { sub, status, covered } = fetched(state, worker.answer.sub)
    to(`fetches sub${sub}: ${status}`, moved(worker, 'answered', answerOf(sub, status, covered, false)))
  },
  list,
  absent,
  unsure,
  cancelFirst,
  freeAfterCancel: (turn) => settle(turn, 'frees the slot after its cancellation', released(turn.slot)),
  cancelLate: ({ state, worker, to }) => {
    if (worker.answer?.kind !== 'subscription') return
    const { sub } = worker.answer
    to(`cancels the declined sub${sub}, late`, doneWorker, { subs: ended(state.subs, sub) })
  },
  resume,
  pay: ({ state, worker, slot, to }) => {
    const { status } = fetched(state, slot.sub)
    const subs = status === 'incomplete' ? changed(state.subs, slot.sub, 'live') : state.subs
    to(`pays the invoice of sub${slot.sub}`, moved(worker, 'paid'), { subs })
  },
  paid: (turn) => {
    const latest = fetched(turn.state, turn.slot.sub)
    projectOwn(turn, latest, `finds sub${latest.sub} ${latest.status}`)
  },
}

function claim({ state, worker, slot, without, to }: Turn): void {
  if (worker.wants === 'nothing' && slot.state !== 'pending') {
    to('has nothing to settle', doneWorker)
  } else if (slot.state === 'held') {
    if (isLive(slot.seen)) to('is subscribed already', doneWorker)
    else to('resumes the incomplete purchase', moved(worker, 'resume'))
  } else if (slot.state === 'free') {
    const next = claimed(slot, state.now, worker.wants)
    if (state.slot.rev !== slot.rev) to('lost the claim', doneWorker)
    else
      to(`claims n=${next.n}`, workerOf({ ...worker, step: 'send', slot: next, mode: 'send', late: false }), {
        slot: next,
      })
  } else if (slot.leased) {
    to('is refused, for a checkout is in progress', doneWorker)
  } else if (state.slot.rev !== slot.rev) {
    to('lost the take-over', doneWorker)
  } else {
    const inTime = state.now - slot.first < REPLAY_WINDOW || has(without, 'replay only under 20 h, list after')
    const same = worker.wants === slot.wants || has(without, 'only the same request replays')
    const replay = inTime && same && slot.savedAt < 0 && worker.wants !== 'nothing'
    const next = takenOver(slot, state.now, replay)
    const mode = replay ? 'replay' : 'look_up'
    const step = replay ? 'send' : 'list'
    to(`takes n=${next.n} over to ${mode} it`, workerOf({ ...worker, step, slot: next, mode, before: slot.last }), {
      slot: next,
    })
  }
}

function send(turn: Turn): void {
  const { state, worker, slot, index, without, to } = turn
  if (worker.late && !has(without, 'send only while the lease lasts')) {
    to('sends nothing, its lease is over', moved(worker, 'answered', answers.unknown))
    return
  }
  const attempts = worker.attempts + 1
  const key = has(without, 'keys come from the claim') ? `${slot.n}.${index}${attempts}` : `${slot.n}`
  const unwanted = worker.wants !== slot.wants
  const request = requestOf({ from: index, key, n: slot.n, sentAt: state.now, unwanted, frozen: false })
  to(`sends n=${slot.n}`, workerOf({ ...worker, step: 'wait', attempts }), { wire: [...state.wire, request] })
  if (worker.attempts > 0 || state.faults < 1) return
  const faults = state.faults - 1
  if (worker.mode === 'send') settle({ ...turn, state: { ...state, faults } }, 'has no customer: frees', released(slot))
  else giveUp({ ...turn, state: { ...state, faults } }, 'has no customer', { last: worker.before })
}

function wait({ state, worker, index, without, to }: Turn): void {
  if (state.faults < 1) return
  const faults = state.faults - 1
  const left = (frozen: boolean) =>
    state.wire.map((request) => (request.from === index ? requestOf({ ...request, from: -1, frozen }) : request))
  to('hears nothing', moved(worker, 'answered', answers.unknown), { faults, wire: left(false) })
  if (worker.attempts < ATTEMPTS) to('hears nothing, tries again', moved(worker, 'send'), { faults, wire: left(false) })
  if (!has(without, 'await or abort before returning')) return
  to('does not wait', moved(worker, 'answered', answers.unknown), { faults, wire: left(true) })
}

function list(turn: Turn): void {
  const { state, worker, slot, without, to } = turn
  const nothing = moved(worker, canNoLongerArrive(turn) ? 'absent' : 'unsure')
  const found = listed(state, slot.n)
  if (found === undefined) {
    to('lists: nothing', nothing)
    return
  }
  const { sub, status, covered } = fetched(state, found)
  to(`lists: sub${sub} ${status}`, moved(worker, 'answered', answerOf(sub, status, covered, false)))
  if (!has(without, 'list, never search') || state.faults < 1) return
  to('searches: nothing yet', nothing, { faults: state.faults - 1 })
}

/** An incomplete purchase bought again: the same secret, or its open invoice paid with another card. */
function resume(turn: Turn): void {
  const { state, worker, slot, to } = turn
  const latest = fetched(state, slot.sub)
  if (latest.status !== 'incomplete') {
    projectOwn(turn, latest, `finds sub${latest.sub} ${latest.status}`)
    return
  }
  to(`shows the secret of sub${latest.sub} again`, doneWorker)
  const next = fenced(slot)
  if (state.slot.rev !== slot.rev) to('lost the slot', doneWorker)
  else to('moves the fence', workerOf({ ...worker, step: 'pay', slot: next }), { slot: next })
}

/** Losing this write is harmless, and an ended subscription is bought anew on the slot as it should be. */
function projectOwn(turn: Turn, latest: Seen, label: string): void {
  const { state, slot, to } = turn
  const next = projected(slot, latest)
  const change = { slot: written(state.slot, next, false) ?? state.slot }
  if (latest.status === 'ended') buyAnew(turn, label, next, change)
  else to(label, doneWorker, change)
}
