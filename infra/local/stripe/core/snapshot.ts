import { emptyState, type Kind, type State } from './state.ts'
import { isRecord } from './wire.ts'

function isState(value: unknown): value is State {
  if (!isRecord(value) || !isRecord(value.rows)) return false
  const { rows } = value
  const kinds: string[] = Object.keys(emptyState().rows)
  const { offset, invoices_numbered, webhook_mode } = value
  if (typeof offset !== 'number' || typeof invoices_numbered !== 'number' || typeof webhook_mode !== 'string')
    return false
  return kinds.every((kind) => isRecord(rows[kind]))
}

/** A copy of a snapshot to work on. Tables added since it was taken start empty. Throws TypeError on anything but a snapshot. */
export function openSnapshot(json: unknown): State {
  const copy: unknown = structuredClone(json)
  const whole = isRecord(copy) && isRecord(copy.rows) ? { ...copy, rows: { ...emptyState().rows, ...copy.rows } } : copy
  if (!isState(whole)) throw new TypeError('not a snapshot of the Stripe stand-in')
  return whole
}

/** State after a reset: empty but for the webhook endpoints and how they are delivered to. */
export function resetState(state: State): State {
  const fresh = emptyState()
  const keep = <K extends Kind>(kind: K) => ({ [kind]: state.rows[kind] })
  return { ...fresh, rows: { ...fresh.rows, ...keep('webhook_endpoints'), ...keep('endpoint_secrets') } }
}
