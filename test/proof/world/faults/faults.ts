/** What can happen to one call of a port. */
export const faultKinds = [
  'not applied',
  'answer lost',
  'throttled',
  'conflict',
  'crash before',
  'crash after',
  'duplicated',
  /** The answer takes 46 s. */
  'delayed',
  /** The request takes 46 s, and another caller repeats the operation within them. */
  'overtaken',
  /** The caller gives up on it after 8 s; it takes effect after 46 s. Gateway writes only. */
  'late',
  /** The gateway fails and keeps its 500 under the idempotency key; nothing is done, or all of it is. */
  'saved 500',
  'saved 500 after the effect',
  /** The webhooks that the call caused are delivered before it is answered. */
  'event first',
  /** Another request holds the customer's lock when it is sent; when it is sent again, none does. */
  'locked',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** A fault at one await: the call's name within one invocation, `1/records.commit#2`, or its place in the whole run, `call 12`. */
export interface Fault {
  at: string
  kind: FaultKind
}

/** Where a kind of fault can happen, for those that cannot happen everywhere. */
const onlyAt: Partial<Record<FaultKind, RegExp>> = {
  late: /gateway\.(create|pay|cancel|resume|finalize|refund|remove|set)/,
  'saved 500': /gateway\.(create|pay|refund)/,
  'saved 500 after the effect': /gateway\.(create|pay|refund)/,
  'event first': /gateway\.(create|pay|cancel|resume|finalize|refund|remove|set)/,
  locked: /gateway\.(create|pay|cancel|resume|finalize|refund|remove|set)/,
}

/** The faults that make a difference at an await. */
export function faultsAt(await_: string): FaultKind[] {
  return faultKinds.filter((kind) => onlyAt[kind]?.test(await_) ?? true)
}

const reads = /\.(read|fetch|find|list|count|prices|decrypt|encrypt)/

/**
 * The distinct faults of an await. A read has no effect to lose or to repeat; whatever keeps a store, a key
 * service or the gateway from answering looks the same to its caller; and a crash after a call is a crash before the next.
 * @param last whether its invocation has no later call
 */
export function distinctFaultsAt(await_: string, last: boolean): FaultKind[] {
  if (reads.test(await_)) return ['not applied', 'crash before', 'delayed', 'overtaken']
  const same: FaultKind[] = ['throttled']
  if (await_.includes('gateway.')) same.push('conflict')
  if (!last) same.push('crash after')
  return faultsAt(await_).filter((kind) => !same.includes(kind))
}
