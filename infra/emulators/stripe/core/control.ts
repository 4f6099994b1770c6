import type { z } from 'zod'
import type { FaultQueue } from '../faults/faultQueue.ts'
import { type HostedInvoice, hostedInvoice } from '../invoices/hostedInvoice.ts'
import { words } from '../params/words.ts'
import { type DisputeTerms, disputeCharge, endDispute } from '../payments/disputes.ts'
import { authenticatePayment } from '../payments/paymentIntentRoutes.ts'
import { authenticateSetup } from '../payments/setupIntents.ts'
import { rollSecret } from '../resources/webhookEndpoints.ts'
import type { Context } from '../state/context.ts'
import { mergeSettings, type settingsSchema, wireSettings } from '../state/settings.ts'
import { type Kind, kinds, type Tables } from '../state/state.ts'
import { StripeFault } from '../wire/errors.ts'
import { violationOutcome } from '../wire/execute.ts'
import { notCovered } from '../wire/notCovered.ts'
import type { Ledger } from './ledger.ts'
import type { LoggedRequest, RequestLog } from './requestLog.ts'

/** Operations for tests and embedders that the API does not have. */
export interface StripeControl {
  requests(): LoggedRequest[]
  clearRequests(): void
  faults: FaultQueue
  /** Finishes a 3-D Secure step as the buyer would. Returns the intent; throws StripeFault when no step is pending. */
  authenticate(id: string, outcome: 'succeed' | 'fail'): object
  /** Disputes a charge, as its cardholder would. Throws StripeFault if the charge cannot be disputed. */
  dispute(charge: string, terms: DisputeTerms): object
  /** Ends a dispute as the bank would. Throws StripeFault if it is not open. */
  closeDispute(id: string, status: 'won' | 'lost'): object
  /** The clock and every object by kind; `violations` are the money rules found broken. */
  state(): StateView
  /** Gives a webhook endpoint a new secret; the old secret signs for `expiresIn` more seconds. Throws StripeFault if the endpoint is unknown. */
  rollSecret(endpoint: string, expiresIn: number): { secret: string; expires_at: number }
  /** The invoice that a path links to, and how it is to be shown. */
  hostedInvoice(path: string): HostedInvoice | undefined
  settings(): ReturnType<typeof wireSettings>
  changeSettings(sent: z.output<typeof settingsSchema>): void
  /** The 500 for violations that no answer has reported yet; marks them as reported. */
  brokenBooks(): { status: number; body: unknown } | undefined
}

export function createControl(ledger: Ledger, faults: FaultQueue, log: RequestLog): StripeControl {
  /** Runs a change that did not come through the API, and undoes it when it is refused. */
  function act(work: (context: Context) => object): object {
    ledger.tick()
    try {
      return work(ledger.context({ id: null, idempotency_key: null }))
    } catch (error) {
      if (error instanceof StripeFault) ledger.store().rollback()
      throw error
    } finally {
      ledger.commit()
    }
  }

  return {
    requests: log.list,
    clearRequests: log.clear,
    faults,
    authenticate: (id, outcome) =>
      act((context) => {
        if (id.startsWith('pi_')) return authenticatePayment(context, id, outcome)
        if (id.startsWith('seti_')) return authenticateSetup(context, id, outcome)
        throw notCovered('value', `authenticating ${id}`, 'id')
      }),
    dispute: (charge, terms) => act((context) => disputeCharge(context, charge, terms)),
    closeDispute: (id, status) => act((context) => endDispute(context, id, status)),
    state() {
      ledger.tick()
      return stateView(ledger)
    },
    rollSecret(endpoint, expiresIn) {
      const rolled = rollSecret(ledger.context({ id: null, idempotency_key: null }), endpoint, expiresIn)
      ledger.commit()
      return rolled
    },
    hostedInvoice(path) {
      ledger.tick()
      return hostedInvoice(ledger.store(), path)
    },
    settings: () => wireSettings(ledger.settings()),
    changeSettings: (sent) => ledger.changeSettings(mergeSettings(ledger.settings(), sent)),
    brokenBooks() {
      const violations = ledger.takeUnreported()
      if (violations.length === 0) return undefined
      const { status, body } = violationOutcome(violations)
      return { status, body: JSON.parse(body) }
    },
  }
}

/** Tables that the control interface does not show. */
const internal = words(
  'cards confirmation_tokens payment_terms keys endpoint_secrets search pending_lines pending_updates invoice_steps deleted_coupons',
) satisfies Kind[]

type StateView = { now: number; webhook_mode: string } & {
  [K in Exclude<Kind, (typeof internal)[number]>]: Tables[K][]
}

/** The clock and every object by kind: the body of `GET /_emulator/state`. */
function stateView(ledger: Pick<Ledger, 'store' | 'now' | 'webhookMode'>): StateView {
  const { all } = ledger.store()
  const shown = kinds.filter((kind) => !internal.some((name) => name === kind))
  const clock = { now: ledger.now(), webhook_mode: ledger.webhookMode() }
  return Object.assign(clock, ...shown.map((kind) => ({ [kind]: all(kind) })))
}
