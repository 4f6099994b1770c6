import { afterSpan } from '../core/timeSpan.ts'
import { faultSchema } from '../faults/faults.ts'
import { usualPublishableKeys, usualSecretKeys } from '../wire/apiKey.ts'
import { type StripeServer, startStripeServer } from './startStripeServer.ts'

/** How to start an emulator for tests. */
export interface StripeEmulatorOptions {
  /** The port on 127.0.0.1; a free port if left out. */
  port?: number
  /** The time at which its clock starts, such as `2026-01-01T00:00:00Z`; real time if left out. Either clock goes on by itself. */
  clock?: string | Date
  /** Where every event is delivered, signed with the secret (`whsec_...`). */
  webhooks?: readonly { url: string; secret: string }[]
  /** Versions of other releases to accept; `any` for all. Answers keep the newest shapes. */
  apiVersions?: readonly string[]
  /** Called with each warning; by default it is printed. */
  warn?: (message: string) => void
}

/** The requests that something shall happen to: `method` may be `*`, and `path` may end in `*`. */
export interface Requests {
  method: string
  path: string
  /** How many of them; one if left out. */
  times?: number
}

/** A request as the emulator logged it. `status` is null if the connection was cut. */
export interface SeenRequest {
  readonly id: string
  readonly at: number
  readonly method: string
  readonly path: string
  readonly idempotency_key: string | null
  readonly params: object
  readonly status: number | null
  readonly replayed: boolean
}

/** What a test does to the emulator, beside the API. */
export interface EmulatorControl {
  /** The time of the emulator's clock. */
  now(): Date
  /** Moves the clock on by a span such as `1 month`: renewals, retries and ends happen in order, and the webhooks due are answered. */
  advance(span: string): Promise<Date>
  /** The next such request takes effect, and its answer is lost. */
  loseAnswer(requests: Requests): void
  /** The connection of the next such request is cut before it takes effect. */
  loseRequest(requests: Requests): void
  /** The next such request is answered by this status, and takes no effect. Without a body, it is Stripe's error envelope. */
  answer(requests: Requests & { status: number; body?: unknown }): void
  /** Finishes a 3-D Secure step of a PaymentIntent or SetupIntent, as its buyer would. Throws if no step is pending. */
  authenticate(intent: string, outcome: 'succeed' | 'fail'): void
  /** Holds every event back until `deliverWebhooks`. */
  holdWebhooks(): void
  /** Delivers what was held back and what is due. Resolves when all of it was answered. */
  deliverWebhooks(): Promise<void>
  /** The requests of the API so far, oldest first. */
  requests(): readonly SeenRequest[]
  /** The money rules found broken. */
  violations(): readonly { readonly rule: string; readonly message: string }[]
  /** Deletes everything but the webhook endpoints. The clock starts again where it started, and goes on from there. */
  reset(): Promise<void>
}

/** A running emulator. */
export interface StripeEmulator {
  /** `http://127.0.0.1:<port>`: the API is under `/v1`, the page under `/_emulator/`. */
  readonly url: string
  readonly key: string
  readonly publishableKey: string
  readonly control: EmulatorControl
  close(): Promise<void>
}

const [key] = usualSecretKeys
const [publishableKey] = usualPublishableKeys

/** Starts an emulator. Throws RangeError if `clock` is no time; rejects when the port is taken. */
export async function startStripeEmulator(options: StripeEmulatorOptions = {}): Promise<StripeEmulator> {
  const server = await startStripeServer({
    port: options.port ?? 0,
    now: clockFrom(options.clock),
    settings: { apiVersions: options.apiVersions ?? [] },
    ...(options.warn && { warn: options.warn }),
  })
  for (const webhook of options.webhooks ?? []) server.core.registerWebhookEndpoint(webhook)
  return { url: server.apiBase, key, publishableKey, control: controlOf(server), close: server.close }
}

/** A clock, in unix seconds, that starts at this time and goes on. */
function clockFrom(start: string | Date | undefined): () => number {
  const real = () => Date.now() / 1000
  if (start === undefined) return real
  const ahead = new Date(start).getTime() / 1000 - real()
  if (Number.isNaN(ahead)) throw new RangeError(`clock ${String(start)} is no time, such as 2026-01-01T00:00:00Z`)
  return () => real() + ahead
}

function controlOf({ core, pump, reset }: StripeServer): EmulatorControl {
  const now = () => new Date(core.now() * 1000)
  const plant = (fault: object) => core.control.faults.add(faultSchema.parse(fault))
  return {
    now,
    async advance(span) {
      core.advance(afterSpan(core.now(), span) - core.now())
      await pump.deliverDue()
      return now()
    },
    loseAnswer: (requests) => plant({ ...requests, kind: 'drop_after' }),
    loseRequest: (requests) => plant({ ...requests, kind: 'drop_before' }),
    answer: (requests) => plant({ ...requests, kind: 'status' }),
    authenticate(intent, outcome) {
      core.control.authenticate(intent, outcome)
      pump.kick()
    },
    holdWebhooks: () => core.setWebhookMode('hold'),
    async deliverWebhooks() {
      core.setWebhookMode('deliver')
      await pump.flush({ order: 'fifo', copies: 1 })
    },
    requests: core.control.requests,
    violations: core.violations,
    reset,
  }
}
