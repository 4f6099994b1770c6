import { isRecord } from '../wire/wire.ts'
import { emptyState, type Kind, kinds, type State } from './state.ts'

function isState(value: unknown): value is State {
  if (!isRecord(value) || !isRecord(value.rows)) return false
  const { rows } = value
  const { offset, webhook_mode } = value
  if (typeof offset !== 'number' || typeof webhook_mode !== 'string') return false
  return kinds.every((kind) => isRecord(rows[kind]))
}

/** A copy of the present state. Both share their rows, which are replaced and never mutated, so later writes do not reach the copy. */
export function copyState({ rows, ...own }: State): State {
  return { ...own, rows: copyTables(rows) }
}

const copyTables = <Tables extends object>(rows: Tables): Tables => {
  const copy = { ...rows }
  for (const kind in copy) copy[kind] = { ...copy[kind] }
  return copy
}

/** A copy of a snapshot to work on. Tables added since it was taken start empty. Throws TypeError on anything but a snapshot. */
export function openSnapshot(json: unknown): State {
  const whole = isRecord(json) && isRecord(json.rows) ? { ...json, rows: { ...emptyState().rows, ...json.rows } } : json
  if (!isState(whole)) throw new TypeError('not a snapshot of the Stripe emulator')
  return copyState(whole)
}

/**
 * State after a reset: empty except for the webhook endpoints, their delivery mode, and the catalog of `seeded` with its ids. Every coupon
 * and promotion code is unused.
 */
export function resetState(state: State, seeded: State | undefined): State {
  const fresh = emptyState()
  const copy = <K extends Kind>(kind: K, from: State) => ({ [kind]: { ...from.rows[kind] } })
  Object.assign(fresh.rows, copy('webhook_endpoints', state), copy('endpoint_secrets', state))
  if (seeded === undefined) return fresh
  Object.assign(fresh.rows, copy('products', seeded), copy('prices', seeded))
  const { coupons, promotion_codes } = seeded.rows
  for (const row of Object.values(coupons)) fresh.rows.coupons[row.id] = { ...row, times_redeemed: 0 }
  for (const row of Object.values(promotion_codes)) fresh.rows.promotion_codes[row.id] = { ...row, times_redeemed: 0 }
  return fresh
}
