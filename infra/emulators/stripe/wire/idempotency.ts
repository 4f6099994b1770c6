import { createHash } from 'node:crypto'
import { parseForm } from '../params/form.ts'
import type { KeyRecord } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { StripeFault } from './errors.ts'

/** Seconds after its first use that a key is forgotten: the earliest Stripe promises to prune. */
const keyLifeSeconds = 24 * 3600

/** What identifies a request under its key: its path, and a hash of its parameters, whichever way a client encodes them. */
export function fingerprint(path: string, body: string): string {
  return `${path} ${createHash('sha256')
    .update(JSON.stringify(parseForm(body)))
    .digest('hex')}`
}

function otherUse(first: string, now: string): string {
  const [firstPath = ''] = first.split(' ')
  const [path = ''] = now.split(' ')
  return firstPath === path
    ? 'with the same parameters they were first used with'
    : `for the same endpoint they were first used for ('${path}' vs '${firstPath}')`
}

/**
 * The answer saved under a key, or undefined when the key is new. Throws a 400 `idempotency_error` if the key belongs to another request,
 * and a 409 `idempotency_key_in_use` if the answer is still under way (`busy`) (https://docs.stripe.com/api/idempotent_requests).
 */
export function savedAnswer(
  store: Store,
  busy: ReadonlySet<string>,
  key: string,
  print: string,
): KeyRecord | undefined {
  if (key.length > 255) {
    const error = { type: 'invalid_request_error' as const, message: 'Idempotency keys may be at most 255 characters.' }
    throw new StripeFault(400, error)
  }
  const record = store.get('keys', key)
  if (record !== undefined && record.fingerprint !== print) {
    const message =
      `Keys for idempotent requests can only be used ${otherUse(record.fingerprint, print)}. ` +
      `Try using a key other than '${key}' if you meant to execute a different request.`
    throw new StripeFault(400, { type: 'idempotency_error', message })
  }
  if (!busy.has(key)) return record
  const message =
    'There is currently another in-progress request using this Stripe idempotency key ' +
    `(that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`
  const error = { type: 'invalid_request_error' as const, code: 'idempotency_key_in_use', message }
  throw new StripeFault(409, error)
}

/** Forgets the keys whose time is over. */
export function pruneKeys(store: Store, now: number): void {
  for (const record of store.all('keys')) if (record.first_used + keyLifeSeconds <= now) store.remove('keys', record.id)
}
