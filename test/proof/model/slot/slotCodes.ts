import type {
  Answer,
  Cancel,
  Change,
  Hook,
  Request,
  Slot,
  Status,
  StoredAnswer,
  Subscription,
  Worker,
  WorkerStep,
} from './slotState.ts'

const flag = (value: boolean) => (value ? 1 : 0)

const workerLetters: Readonly<Record<WorkerStep, string>> = {
  idle: '_',
  read: 'r',
  send: 's',
  wait: 'w',
  answered: 'a',
  fetch: 'f',
  list: 'l',
  absent: 'b',
  unsure: 'u',
  cancelFirst: 'c',
  freeAfterCancel: 'e',
  cancelLate: 'k',
  resume: 'm',
  pay: 'p',
  paid: 'q',
  done: '.',
}

/** A slot; while it is not pending, the times of a claim do not matter. */
export function slotOf(fields: Omit<Slot, 'code'>): Slot {
  const { state, n, leased, first, last, wants, savedAt, sub, seen, covered } = fields
  const times = state === 'pending' ? `${flag(leased)}${first}${last}${wants}${savedAt < 0 ? '' : `s${savedAt}`}` : ''
  return {
    ...fields,
    code: `${state[0]}${n}${times}${sub < 0 ? '-' : `${sub}${seen[0]}${covered}`}`,
  }
}

/** A subscription of purchase `n`. */
export function subscriptionOf(fields: Omit<Subscription, 'code'>): Subscription {
  const { n, byHand, history, acked } = fields
  return { ...fields, code: `${n}${byHand ? 'h' : ''}${history.map((status) => status[0]).join('')}${acked}` }
}

/** A subscription of purchase `n` with its first status, which is an event that the gateway owes. */
export function newSubscription(n: number, status: Status, byHand = false): Subscription {
  return subscriptionOf({ n, byHand, history: [status], acked: 0 })
}

/** An invocation of checkout; idle ones are alike, and so are done ones. */
export function workerOf(fields: Omit<Worker, 'code'>): Worker {
  const { step, slot, wants, mode, attempts, before, saved, late, again, answer } = fields
  if (step === 'idle' || step === 'done') return step === 'idle' ? idleWorker : doneWorker
  const letter = workerLetters[step]
  const what = `${wants}${mode[0]}${attempts}${mode === 'replay' ? before : ''}${flag(saved)}${flag(late)}${flag(again)}`
  const code = `${letter}${slot?.code ?? ''}${what}${answer?.code ?? ''}`
  return { ...fields, code }
}

const nothing = {
  slot: null,
  wants: 0,
  mode: 'send',
  attempts: 0,
  before: 0,
  saved: false,
  late: false,
  again: false,
  answer: null,
} as const
/** Not invoked yet. */
export const idleWorker: Worker = { ...nothing, step: 'idle', code: '_' }
/** Answered, or crashed. */
export const doneWorker: Worker = { ...nothing, step: 'done', code: '.' }

/** A delivery of an event. */
export function hookOf(fields: Omit<Hook, 'code'>): Hook {
  const { step, slot, sub, event, status, covered } = fields
  return { ...fields, code: `${step[0]}${slot?.code ?? ''}${sub}${event}${status[0]}${covered}` }
}

const noEvent = { slot: null, sub: -1, event: 0, status: 'ended', covered: 0 } as const
/** Not delivered yet. */
export const idleHook: Hook = { ...noEvent, step: 'idle', code: '_' }
/** Answered, or crashed. */
export const doneHook: Hook = { ...noEvent, step: 'done', code: '.' }

/** A cancellation that read `slot`. */
export function cancelOf(step: 'read' | 'commit' | 'gateway', slot: Slot): Cancel {
  return { step, slot, code: `${step[0]}${slot.code}` }
}

/** Not invoked yet. */
export const idleCancel: Cancel = { step: 'idle', slot: null, code: '_' }
/** Answered, or crashed. */
export const doneCancel: Cancel = { step: 'done', slot: null, code: '.' }

/** An invocation that changes a held subscription. */
export function changeOf(
  step: 'read' | 'pay' | 'fetch' | 'commit',
  kind: Change['kind'],
  slot: Slot,
  latest: Change['latest'] = null,
): Change {
  const known = latest ? `${latest.sub}${latest.status[0]}${latest.covered}` : ''
  return { step, kind, slot, latest, code: `${step[0]}${kind[0]}${slot.code}/${known}` }
}

const noChange = { kind: 'resume', slot: null, latest: null } as const

/** Not invoked yet. */
export const idleChange: Change = { ...noChange, step: 'idle', code: '_' }

/** Answered, or crashed. */
export const doneChange: Change = { ...noChange, step: 'done', code: '.' }

/** An answer with a subscription in it; `covered` counts the changes up to the answer's date. */
export function answerOf(sub: number, status: Status, covered: number, replayed: boolean): Answer {
  return { kind: 'subscription', sub, status, covered, replayed, code: `${sub}${status[0]}${covered}${flag(replayed)}` }
}

/** The answers without a subscription in them. */
export const answers = {
  refused: { kind: 'refused', code: 'R' },
  failed: { kind: 'failed', code: 'F' },
  rejected: { kind: 'rejected', code: 'J' },
  busy: { kind: 'busy', code: 'B' },
  unknown: { kind: 'unknown', code: 'U' },
} as const satisfies Record<string, Answer>

/** What the gateway keeps under a key. */
export function storedAnswer(key: string, n: number, answer: Answer, at: number): StoredAnswer {
  return { key, n, answer, at, code: `${key}${answer.code}${at}` }
}

/** A request in the network. */
export function requestOf(fields: Omit<Request, 'code'>): Request {
  return { ...fields, code: `${fields.key}${fields.frozen ? 'z' : fields.sentAt}${flag(fields.unwanted)}` }
}
