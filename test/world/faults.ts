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
  /** The request is 46 s under way, and meanwhile somebody repeats the operation. */
  'overtaken',
  /** The caller gives up on it after 8 s; it takes effect after 46 s. Gateway writes only. */
  'late',
] as const
export type FaultKind = (typeof faultKinds)[number]

/** A fault at one await: the call's name within one invocation, `1/records.commit#2`, or its place in the whole run, `call 12`. */
export interface Fault {
  at: string
  kind: FaultKind
}

const gatewayWrites = /gateway\.(create|pay|cancel|refund|set)/

/** The faults that make a difference at an await. */
export function faultsAt(await_: string): FaultKind[] {
  return faultKinds.filter((kind) => kind !== 'late' || gatewayWrites.test(await_))
}

const reads = /\.(read|fetch|find|prices|decrypt|encrypt)/

/**
 * The faults of an await that can be told apart. A read has no effect to lose or to repeat, and whatever keeps a store or
 * key service from answering looks the same to its caller.
 */
export function distinctFaultsAt(await_: string): FaultKind[] {
  if (reads.test(await_)) return ['not applied', 'crash before', 'delayed', 'overtaken']
  return faultsAt(await_).filter((kind) => kind !== 'throttled' || await_.includes('gateway.'))
}
