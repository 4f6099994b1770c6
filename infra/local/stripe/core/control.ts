import { notCovered, StripeFault } from './errors.ts'
import type { Fault } from './faults.ts'
import type { Ledger } from './ledger.ts'
import { authenticatePayment } from './paymentIntentRoutes.ts'
import type { LoggedRequest } from './requestLog.ts'
import { authenticateSetup } from './setupIntents.ts'
import type { Violation } from './state.ts'

/** What a test or an embedder may do that no API client can. */
export interface StripeControl {
  requests(): LoggedRequest[]
  clearRequests(): void
  addFault(fault: Fault): void
  clearFaults(): void
  faults(): Fault[]
  /** Finishes a 3-D Secure step as the buyer would. Throws StripeFault when none is pending. Answers the intent. */
  authenticate(id: string, outcome: 'succeed' | 'fail'): object
  /** Everything stored, by kind; `violations` are the money rules found broken. */
  state(): { now: number; webhook_mode: string; violations: Violation[]; objects: Record<string, object[]> }
}

/** Tables that are bookkeeping, not objects anybody could ask for. */
const internal = [
  'cards',
  'endpoint_secrets',
  'deleted_coupons',
  'keys',
  'payment_terms',
  'pending_lines',
  'search',
  'violations',
]

/** Puts the control operations together. */
export function createControl(ledger: Ledger, parts: Omit<StripeControl, 'authenticate' | 'state'>): StripeControl {
  return {
    ...parts,
    authenticate(id, outcome) {
      ledger.tick()
      const context = ledger.context({ id: null, idempotency_key: null })
      try {
        if (id.startsWith('pi_')) return authenticatePayment(context, id, outcome)
        if (id.startsWith('seti_')) return authenticateSetup(context, id, outcome)
        throw notCovered(`authenticating ${id}`)
      } catch (error) {
        if (error instanceof StripeFault) ledger.store().rollback()
        throw error
      } finally {
        ledger.commit()
      }
    },
    state() {
      ledger.tick()
      const tables = Object.entries(ledger.snapshot().rows).filter(([kind]) => !internal.includes(kind))
      return {
        now: ledger.now(),
        webhook_mode: ledger.webhookMode(),
        violations: ledger.violations(),
        objects: Object.fromEntries(tables.map(([kind, rows]) => [kind, Object.values(rows)])),
      }
    },
  }
}
