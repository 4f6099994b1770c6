import { at } from '../at.ts'
import type { Visit } from '../explore.ts'
import {
  answerOf,
  answers,
  doneCancel,
  doneChange,
  doneHook,
  doneWorker,
  newSubscription,
  requestOf,
  slotOf,
  storedAnswer,
  workerOf,
} from './slotCodes.ts'
import { changed, statusOf } from './slotRuns.ts'
import {
  type Answer,
  FLIGHT,
  KEY_KEPT,
  REPLAY_WINDOW,
  type Request,
  type SlotModelOptions,
  type State,
  type Status,
  type Worker,
} from './slotState.ts'

/** Time, the network and the gateway: everything that happens without an invocation of ours taking a step. */
export function gatewaySteps(state: State, { bounds, without }: SlotModelOptions, visit: Visit<State>): void {
  if (state.now < bounds.ticks) tick(state, visit)
  for (const request of state.wire) {
    if (request.frozen) {
      const sent = requestOf({ ...request, frozen: false, sentAt: state.now })
      visit('a frozen function resumes: its leftover request goes out', {
        ...state,
        wire: replaced(state, request, sent),
      })
    } else {
      handle(state, request, visit)
    }
  }
  for (const stored of state.keys) {
    const pending = stored.answer.kind === 'failed' && !state.subs.some(({ n }) => n === stored.n)
    const recorded = state.slot.state === 'pending' && state.slot.n === stored.n && state.slot.savedAt >= 0
    const late = recorded || without.has('a stored failure that was not recorded is rolled forward at once or never')
    const inTime = state.now - stored.at < (late ? REPLAY_WINDOW : 1)
    if (!pending || !inTime || state.faults < 1) continue
    const subs = [...state.subs, newSubscription(stored.n, 'live')]
    const label = `gateway rolls its failure forward: creates sub${state.subs.length} for n=${stored.n}`
    visit(label, { ...state, faults: state.faults - 1, subs })
  }
  state.subs.forEach((subscription, index) => {
    const status = statusOf(subscription)
    const become = (label: string, next: Status, cost: number) =>
      visit(label, { ...state, faults: state.faults - cost, subs: changed(state.subs, index, next) })
    if (status === 'incomplete') {
      become(`the buyer authenticates sub${index}`, 'live', 0)
      become(`sub${index} expires unpaid`, 'ended', 0)
    }
    if (status === 'scheduled') become(`the period of sub${index} ends`, 'ended', 0)
    if (state.faults < 1) return
    if (status === 'declined') become(`the open invoice of sub${index} is paid elsewhere`, 'live', 1)
    if (status === 'live') become(`staff end sub${index} at the gateway`, 'ended', 1)
  })
  if (state.hands > 0) makeByHand(state, visit)
}

/**
 * Staff copy a subscription with its metadata, beside it or in its place, where it may have those of an older one. Not of a purchase
 * that is not settled, and with no purchase after it: a copy whose number is older than that of a later purchase is taken for
 * surplus, as `isSurplus` says.
 */
function makeByHand(state: State, visit: Visit<State>): void {
  if (!state.workers.every(({ step }) => step === 'done')) return
  state.subs.forEach((subscription, index) => {
    if (statusOf(subscription) !== 'live' || state.slot.state !== 'held' || state.slot.sub !== index) return
    const { n } = subscription
    const left = { ...state, hands: state.hands - 1 }
    visit(`staff copy sub${index}`, { ...left, subs: [...state.subs, newSubscription(n, 'live', true)] })
    for (const number of n > 1 ? [n, n - 1] : [n]) {
      const subs = [...changed(state.subs, index, 'ended'), newSubscription(number, 'live', true)]
      visit(`staff replace sub${index} by one with n=${number}`, { ...left, subs })
    }
  })
}

/**
 * A tick takes every invocation away with it, which is also how one crashes: it takes no further step. For a fault each, one
 * of them stalls across the tick instead.
 */
function tick(state: State, visit: Visit<State>): void {
  const now = state.now + 1
  const past: State = {
    ...state,
    now,
    slot: slotOf({ ...state.slot, leased: false }),
    keys: state.keys.filter((stored) => now - stored.at < KEY_KEPT),
    wire: state.wire
      .map((request) => (request.from < 0 ? request : requestOf({ ...request, from: -1 })))
      .filter(({ frozen, sentAt }) => frozen || now <= sentAt + FLIGHT),
    workers: state.workers.map((worker) => (worker.step === 'idle' ? worker : doneWorker)),
    hooks: state.hooks.map((hook) => (hook.step === 'idle' ? hook : doneHook)),
    cancels: state.cancels.map((cancel) => (cancel.step === 'idle' ? cancel : doneCancel)),
    changes: state.changes.map((change) => (change.step === 'idle' ? change : doneChange)),
  }
  visit(`time ${now}`, past)
  if (state.faults < 1) return
  const faults = state.faults - 1
  state.workers.forEach((worker, index) => {
    if (worker.step === 'idle' || worker.step === 'done') return
    const workers = past.workers.with(index, stalled(worker))
    visit(`time ${now}, w${index} stalls`, { ...past, faults, workers })
  })
  state.hooks.forEach((hook, index) => {
    if (hook.step === 'idle' || hook.step === 'done') return
    visit(`time ${now}, h${index} stalls`, { ...past, faults, hooks: past.hooks.with(index, hook) })
  })
  state.cancels.forEach((cancel, index) => {
    if (cancel.step === 'idle' || cancel.step === 'done') return
    visit(`time ${now}, c${index} stalls`, { ...past, faults, cancels: past.cancels.with(index, cancel) })
  })
}

function stalled(worker: Worker): Worker {
  const waited = worker.step === 'wait' && ({ step: 'answered', answer: answers.unknown } as const)
  return workerOf({ ...worker, ...waited, late: true })
}

function replaced({ wire }: State, request: Request, ...by: readonly Request[]): readonly Request[] {
  return wire.flatMap((other) => (other === request ? by : [other]))
}

function handle(state: State, request: Request, visit: Visit<State>): void {
  const { faults } = state
  const stored = state.keys.find(({ key }) => key === request.key)
  if (stored) respond(state, request, `replays its answer for n=${request.n}`, replay(state, stored.answer), 0, visit)
  if (faults > 0) {
    respond(state, request, `answers 429 for n=${request.n}`, answers.busy, 1, visit)
    respond(state, request, `rejects n=${request.n} before its key is looked at`, answers.rejected, 1, visit)
  }
  if (stored) return
  const execute = (label: string, status: Status | undefined, failure: Answer | undefined, cost: number) => {
    if (faults < cost) return
    const index = state.subs.length
    const subs = status ? [...state.subs, newSubscription(request.n, status)] : state.subs
    const answer = failure ?? answerOf(index, status ?? 'ended', 1, false)
    const keys = [...state.keys, storedAnswer(request.key, request.n, answer, state.now)]
    const what = status ? `${label} sub${index} for n=${request.n}` : `${label} n=${request.n}`
    const unwanted = state.unwanted || (request.unwanted && status !== undefined)
    respond({ ...state, unwanted, subs, keys }, request, what, answer, cost, visit)
  }
  execute('creates', 'live', undefined, 0)
  execute('creates, to be authenticated,', 'incomplete', undefined, 1)
  execute('creates, its card declined,', 'declined', undefined, 1)
  execute('refuses', undefined, answers.refused, 1)
  execute('fails with a stored 500 for', undefined, answers.failed, 1)
  execute('fails with a stored 500, but creates', 'live', answers.failed, 1)
}

/** A replayed body is as old as its first sending, under a date of now. */
function replay({ subs }: State, answer: Answer): Answer {
  if (answer.kind !== 'subscription') return answer
  return answerOf(answer.sub, answer.status, at(subs, answer.sub).history.length, true)
}

function respond(
  state: State,
  request: Request,
  label: string,
  answer: Answer,
  cost: number,
  visit: Visit<State>,
): void {
  const waiting = request.from < 0 ? undefined : at(state.workers, request.from)
  const workers = waiting
    ? state.workers.with(request.from, workerOf({ ...waiting, step: 'answered', answer }))
    : state.workers
  const next = { ...state, faults: state.faults - cost, wire: replaced(state, request), workers }
  visit(`gateway ${label}${waiting ? ` -> w${request.from}` : ', unheard'}`, next)
}
