import type { z } from 'zod'
import type { FaultQueue } from './faults/faultQueue.ts'
import type { Ledger } from './ledger.ts'
import { authenticatePayment } from './resources/paymentIntentRoutes.ts'
import { authenticateSetup } from './resources/setupIntents.ts'
import { rollSecret } from './resources/webhookEndpoints.ts'
import { mergeSettings, type settingsSchema, wireSettings } from './state/settings.ts'
import { type StateView, stateView } from './stateView.ts'
import { notCovered, StripeFault } from './wire/errors.ts'
import { violationOutcome } from './wire/execute.ts'
import type { LoggedRequest, RequestLog } from './wire/requestLog.ts'

/** Operations for tests and embedders that the API does not have. */
export interface StripeControl {
  requests(): LoggedRequest[]
  clearRequests(): void
  faults: FaultQueue
  /** Finishes a 3-D Secure step as the buyer would. Throws StripeFault when none is pending. Returns the intent. */
  authenticate(id: string, outcome: 'succeed' | 'fail'): object
  /** The clock and every object by kind; `violations` are the money rules found broken. */
  state(): StateView
  /** Gives a webhook endpoint a new secret; the old one signs for `expiresIn` more seconds. Throws StripeFault for an unknown endpoint. */
  rollSecret(endpoint: string, expiresIn: number): { secret: string; expires_at: number }
  settings(): ReturnType<typeof wireSettings>
  changeSettings(sent: z.output<typeof settingsSchema>): void
  /** The 500 for violations that no answer has reported yet; marks them as reported. */
  brokenBooks(): { status: number; body: unknown } | undefined
}

export function createControl(ledger: Ledger, faults: FaultQueue, log: RequestLog): StripeControl {
  return {
    requests: log.list,
    clearRequests: log.clear,
    faults,
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
      return stateView(ledger)
    },
    rollSecret(endpoint, expiresIn) {
      const rolled = rollSecret(ledger.context({ id: null, idempotency_key: null }), endpoint, expiresIn)
      ledger.commit()
      return rolled
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
