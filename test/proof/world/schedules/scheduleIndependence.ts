import type { PortCall } from '../orders/gate.ts'

/** What is known of a call before it runs. */
export type Call = Pick<PortCall, 'name' | 'method' | 'invocation'>

const unmoved = /^(cipher\.|users\.|gateway\.findCoupon$)/
const reads = /^(records\.(read|find)|passes\.(read|list)|gateway\.(fetch|find|list|count)|slots\.list|listing\.)/
const store = /^(records|slots|passes|store)\./
const atGateway = /^(gateway|listing|dashboard)\./

/**
 * Whether a call comes to the same wherever it runs: the key service keeps nothing, and no call changes a user, nor a coupon
 * but by using it up, which no coupon of these worlds can be. Only a person changes a price.
 * @param ready every call that waits
 */
export function isUnmoved(call: Pick<Call, 'method'>, ready: readonly Pick<Call, 'method'>[]): boolean {
  return unmoved.test(call.method) || (isOfPrices(call) && !ready.some(isByHand))
}

const isOfPrices = ({ method }: Pick<Call, 'method'>) => method === 'gateway.prices'
const isByHand = ({ method }: Pick<Call, 'method'>) => method === 'dashboard.byHand'

/**
 * Whether two calls, both waiting, leave the same world and the same answers in either order. Ids, drawn in another order,
 * and milliseconds differ, by which nothing decides; whole seconds do not, for a schedule takes less than one. Kept small:
 * - the store and the gateway do not know each other, and the monitors look at the gateway alone;
 * - two reads of one of them;
 * - a commit changes a slot and its coupon, of which freezing, binding or reading an account's customer knows nothing.
 * Everything else is taken to matter: every two writes at the gateway, whatever they are of, for each is looked at by the
 * monitors and owes its webhooks in its turn, and every two calls of one invocation.
 */
export function commute(one: Call, other: Call): boolean {
  if (unmoved.test(one.method) || unmoved.test(other.method)) return true
  if (isOfPrices(one) || isOfPrices(other)) return !isByHand(one) && !isByHand(other)
  if (one.invocation === other.invocation) return false
  if (systemOf(one) !== systemOf(other)) return true
  if (reads.test(one.method) && reads.test(other.method)) return true
  return isOfAccount(one) ? other.method === 'records.commit' : isOfAccount(other) && one.method === 'records.commit'
}

function systemOf({ method }: Call): 'store' | 'gateway' {
  if (store.test(method)) return 'store'
  if (atGateway.test(method)) return 'gateway'
  throw new Error(`${method} is a call of an unknown system`)
}

function isOfAccount({ method }: Call): boolean {
  return ['records.freezeCustomer', 'records.bindCustomer', 'records.readAccount'].includes(method)
}
