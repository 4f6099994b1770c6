import { BillingError } from '../../../../lib/billing/errors.ts'
import type { Ending } from '../orders/gate.ts'
import type { World } from '../world.ts'

/** Ids in every form: the gateway's, ours, and the digest of a customer. */
const ids = /\b[a-z]+_[A-Za-z0-9]{6,}\w*|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{64}\b/g
/** Unix milliseconds. */
const times = /\b\d{13}\b/g

/**
 * Everything that is stored here and at the gateway, and what every operation was answered, as text. The audit log is the way there, and
 * left out. Ids are numbered as they
 * appear and milliseconds left out, so that two worlds that differ in nothing else have the same text.
 */
export function stateOf(world: World, endings: readonly Ending<unknown>[]): string {
  const answers = endings.map((ending) => (ending.kind === 'failed' ? codeOf(ending.error) : ending))
  const books = world.stripe.core.control.state()
  const numbers = new Map<string, number>()
  const number = (id: string) => {
    numbers.set(id, numbers.get(id) ?? numbers.size)
    return `#${numbers.get(id)}`
  }
  const { entries: _entries, mails: _mails, ...stored } = world.records.save()
  return JSON.stringify({ answers, stored, books }).replace(times, 'ms').replace(ids, number)
}

function codeOf(error: unknown): string {
  return error instanceof BillingError ? error.code : String(error)
}
