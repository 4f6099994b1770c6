import type { Assumption, SlotGuard } from '../guards/guards.ts'

/** How many of each may happen in one run. */
export interface Bounds {
  /** Checkout invocations. */
  workers: number
  /** Deliveries of webhooks. */
  hooks: number
  cancels: number
  /** Invocations that schedule an end, take it back, or pay an open invoice. */
  changes: number
  /** Lost answers, refusals, failures, stalls and changes from outside, together. */
  faults: number
  /** Of time; a lease and a request in the network last one of them. */
  ticks: number
  /** Subscriptions that staff make by hand at the gateway, with the metadata of another one. */
  hands: number
}

/** Which model of the slot is explored. */
export interface SlotModelOptions {
  bounds: Bounds
  /** The guards and assumptions that are taken away. */
  without: ReadonlySet<SlotGuard | Assumption>
}

/** How long a request lives in the network, in ticks; a quiet period is longer. Real order: 45 s < 15 min < 20 h < 24 h. */
export const FLIGHT = 1
/** How long a key is replayed after its first sending: 20 h. */
export const REPLAY_WINDOW = 3
/** When the gateway forgets a key: 24 h. */
export const KEY_KEPT = 4

/**
 * `incomplete` waits for its buyer to authenticate; a `declined` one is as good as refused, but not ended yet. One that is `scheduled`
 * to end is live until then.
 */
export type Status = 'live' | 'scheduled' | 'incomplete' | 'declined' | 'ended'

/** Whether the product is subscribed. */
export function isLive(status: Status): boolean {
  return status === 'live' || status === 'scheduled'
}

/** What a request asks for: one of two cards, or, as a cancellation and the sweeper do, no purchase at all. */
export type Wants = 0 | 1 | 'nothing'

/** `code` is a compact text of all other members: equal codes, equal values. */
interface Coded {
  readonly code: string
}

/** The stored slot, or what an invocation read of it. */
export interface Slot extends Coded {
  readonly state: 'free' | 'pending' | 'held'
  readonly n: number
  readonly rev: number
  /** While pending: whether the lease lasts, and when the key may have been sent first and last. */
  readonly leased: boolean
  readonly first: number
  readonly last: number
  /** While pending: which card and coupon were asked for, and when a stored failure was seen under the key, or -1. */
  readonly wants: Wants
  readonly savedAt: number
  /** The remembered subscription or -1, its status as written, and how many of its changes that covers. */
  readonly sub: number
  readonly seen: Status
  readonly covered: number
}

/** A subscription in the gateway's books. */
export interface Subscription extends Coded {
  readonly n: number
  /** Made by staff, with the number of another one. */
  readonly byHand: boolean
  /** Every status that it had; each is one event. */
  readonly history: readonly Status[]
  /** Bit set of the events that were acknowledged. */
  readonly acked: number
}

/** What a worker heard. */
export type Answer = Coded &
  (
    | { readonly kind: 'subscription'; sub: number; status: Status; covered: number; replayed: boolean }
    /** Stored 402, stored 500, 401 or 403 or an unsaved 400, 429, and a timeout or nothing sent. */
    | { readonly kind: 'refused' | 'failed' | 'rejected' | 'busy' | 'unknown' }
  )

/** An answer that the gateway kept under an idempotency key. */
export interface StoredAnswer extends Coded {
  readonly key: string
  readonly n: number
  readonly answer: Answer
  readonly at: number
}

/** A create request in the network. */
export interface Request extends Coded {
  /** The worker that waits for it, or -1. */
  readonly from: number
  readonly key: string
  readonly n: number
  readonly sentAt: number
  /** Sent for a request that asked for something else. */
  readonly unwanted: boolean
  /** Left behind by a frozen function, to be sent when that is resumed. */
  readonly frozen: boolean
}

/** The step of an invocation of checkout; each is one await of the code. */
export type WorkerStep =
  | 'idle'
  | 'read'
  | 'send'
  | 'wait'
  | 'answered'
  | 'fetch'
  | 'list'
  | 'absent'
  | 'unsure'
  | 'cancelFirst'
  | 'freeAfterCancel'
  | 'cancelLate'
  | 'resume'
  | 'pay'
  | 'paid'
  | 'done'

/** An invocation of checkout. */
export interface Worker extends Coded {
  readonly step: WorkerStep
  /** As read or written last; null while idle or done. */
  readonly slot: Slot | null
  readonly wants: Wants
  readonly mode: 'send' | 'replay' | 'look_up'
  readonly attempts: number
  /** When the key may have been sent last before this invocation took it over. */
  readonly before: number
  /** Was answered with a stored failure. */
  readonly saved: boolean
  /** Stalled past its lease. */
  readonly late: boolean
  /** Buys anew after an earlier purchase came to nothing; once in a request. */
  readonly again: boolean
  readonly answer: Answer | null
}

/** A delivery of an event to the webhook. */
export interface Hook extends Coded {
  readonly step: 'idle' | 'read' | 'fetched' | 'done'
  readonly slot: Slot | null
  readonly sub: number
  readonly event: number
  readonly status: Status
  readonly covered: number
}

/** An invocation of cancel. */
export interface Cancel extends Coded {
  readonly step: 'idle' | 'read' | 'commit' | 'gateway' | 'done'
  readonly slot: Slot | null
}

/** An invocation that changes a held subscription. `latest`: the gateway's word that is to be recorded. */
export interface Change extends Coded {
  readonly step: 'idle' | 'read' | 'pay' | 'fetch' | 'commit' | 'done'
  readonly kind: 'schedule' | 'resume' | 'pay'
  readonly slot: Slot | null
  readonly latest: {
    readonly sub: number
    readonly n: number
    readonly status: Status
    readonly covered: number
  } | null
}

/** Everything there is, at one instant. */
export interface State {
  readonly now: number
  readonly faults: number
  readonly hands: number
  /** A purchase was executed for a request that had asked for something else. */
  readonly unwanted: boolean
  /** The service itself ended what staff made. */
  readonly unasked: boolean
  readonly slot: Slot
  readonly keys: readonly StoredAnswer[]
  readonly subs: readonly Subscription[]
  readonly wire: readonly Request[]
  readonly workers: readonly Worker[]
  readonly hooks: readonly Hook[]
  readonly cancels: readonly Cancel[]
  readonly changes: readonly Change[]
}
