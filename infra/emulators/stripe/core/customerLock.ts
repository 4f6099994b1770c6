import type { RawParams } from '../params/form.ts'
import { words } from '../params/words.ts'
import type { Kind, Tables } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { StripeFault } from '../wire/errors.ts'

/** Waits; rejects when `signal` is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<unknown>

/** Waits for `work`, `milliseconds` at most, and leaves no timer behind. Rejects when `closing` is aborted. */
export async function atMost(
  milliseconds: number,
  work: Promise<unknown>,
  { sleep, closing }: { sleep: Sleep; closing: AbortSignal },
): Promise<void> {
  const done = new AbortController()
  const limit = sleep(milliseconds, AbortSignal.any([closing, done.signal]))
  limit.catch(() => undefined)
  await Promise.race([work, limit]).finally(() => done.abort())
}

/** Objects that belong to a customer, by their first path segment. */
const owned = words(
  'subscriptions invoices payment_intents setup_intents payment_methods charges credit_notes refunds',
  'subscription_schedules invoiceitems',
) satisfies readonly Kind[]

/** Parameters that name a customer, or an object of a customer. */
const naming: Record<string, (typeof owned)[number] | 'customers'> = {
  customer: 'customers',
  subscription: 'subscriptions',
  from_subscription: 'subscriptions',
  invoice: 'invoices',
  charge: 'charges',
  payment_intent: 'payment_intents',
}

function customerOfRow(row: Partial<Pick<Tables[(typeof owned)[number]], 'customer'>> | undefined): string | undefined {
  return row?.customer ?? undefined
}

function ownerOf(store: Store, table: string, id: string): string | undefined {
  if (table === 'customers') return store.get('customers', id)?.id
  if (table === 'subscription_items')
    return store.all('subscriptions').find(({ items }) => items.data.some((item) => item.id === id))?.customer
  const kind = owned.find((name) => name === table)
  return kind === undefined ? undefined : customerOfRow(store.get(kind, id))
}

/** The customer that a write locks: the owner of the object in its path or, if there is none, the customer that its parameters name. */
export function customerOf(store: Store, path: string, params: RawParams): string | undefined {
  const [, , table = '', id = ''] = path.split('/')
  const byPath = ownerOf(store, table, id)
  if (byPath !== undefined) return byPath
  for (const [name, kind] of Object.entries(naming)) {
    const value = params[name]
    const owner = typeof value === 'string' ? ownerOf(store, kind, value) : undefined
    if (owner !== undefined) return owner
  }
  return undefined
}

/** The 429 of a write when another write holds its customer. Nothing was executed, and no key keeps the answer. */
function lockTimeout(): StripeFault {
  const message =
    'This object cannot be accessed right now because another API request or Stripe process is currently accessing it. If you see this ' +
    'error intermittently, retry the request. If you see this error frequently and are making multiple concurrent requests to a single ' +
    'object, make your requests serially or at a lower rate.'
  return new StripeFault(429, { type: 'invalid_request_error', code: 'lock_timeout', message })
}

/** Locks of customers (https://docs.stripe.com/rate-limits#object-lock-timeouts). */
export function createCustomerLock(timing: { sleep: Sleep; closing: AbortSignal }) {
  const holders = new Map<string, Promise<void>>()
  return {
    /** Takes the lock of a customer; waits once for its holder. Returns its release. Throws a 429 when the lock stays held. */
    async acquire(customer: string, waitMs: number): Promise<() => void> {
      const holder = holders.get(customer)
      if (holder !== undefined) await atMost(waitMs, holder, timing)
      if (holders.has(customer)) throw lockTimeout()
      const { promise, resolve } = Promise.withResolvers<void>()
      holders.set(customer, promise)
      return () => {
        holders.delete(customer)
        resolve()
      }
    },
  }
}
