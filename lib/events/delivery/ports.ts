import type { RequestFault } from '../../core/requestFault.ts'
import type { Delivery, DeliveryAttempt, DisabledReason, Endpoint, EndpointName } from '../ports.ts'

/** Why an attempt got no answer. */
export type SendFault = RequestFault

/** What came of an attempt: the status with the first 1 KB of the body as text, or why there is none. */
export type SendResult =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'not_answered'; readonly fault: SendFault }

/** A request to an endpoint, which is always a POST. */
export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a request once, within 10 s in all. Redirects are not followed. Never throws. */
export type SendWebhook = (request: WebhookRequest) => Promise<SendResult>

/** The signature of a message (Standard Webhooks 1.0) for each secret, separated by spaces. `at` is Unix milliseconds. */
export type SignWebhook = (
  message: { readonly id: string; readonly at: number; readonly body: string },
  secrets: readonly string[],
) => string

/** An endpoint with what delivery knows about it. Times are Unix milliseconds. */
export interface ServedEndpoint extends Endpoint {
  /** Encrypted, for the endpoint's owner. */
  readonly secret: string
  /** During a rotation, the secret before it, which signs too. */
  readonly previous?: { readonly secret: string; readonly until: number }
  /** When the first attempt failed since the last success. */
  readonly failingSince?: number
  /** It failed or was slow a moment ago: until then only the schedule serves it, so the stream never waits for it. */
  readonly slowUntil?: number
}

/** What finds a delivery, and its endpoint. */
export type DeliveryName = Pick<Delivery, 'owner' | 'endpointId' | 'createdAt' | 'id'>

/** One of the two places at an endpoint. Who holds it serves the endpoint, until it is given back or `until` has come. */
export interface Turn {
  readonly place: 0 | 1
  readonly until: number
}

/** `busy`: two workers serve the endpoint already. `gone`: it was deleted. */
export type TurnResult =
  | { readonly kind: 'taken'; readonly turn: Turn; readonly endpoint: ServedEndpoint }
  | { readonly kind: 'busy' }
  | { readonly kind: 'gone' }

/** A delivery that only this worker tries, until `until`: then it is due again. `attempts` counts the coming attempt. */
export interface ClaimedDelivery extends Delivery {
  readonly firstAttemptAt: number
  readonly until: number
}

/** What becomes of a claimed delivery. `ends`: it is not tried again, and is failed at `at`. */
export type Settlement = {
  readonly attempts: number
  readonly lastAttempt: DeliveryAttempt | null
} & (
  | { readonly status: 'delivered' | 'failed' }
  | { readonly status: 'pending'; readonly next: { readonly kind: 'try' | 'end'; readonly at: number } }
)

/** Deliveries that are due, and the state of their endpoints. Each method is a call to the store, or a few. Throws CommonError `service_unavailable`. */
export interface DeliveryQueue {
  /** Names of deliveries that are due at `now`, the earliest first. The index lags behind: a claim decides. */
  listDue(now: number): Promise<DeliveryName[]>
  takeTurn(endpoint: EndpointName, times: { now: number; until: number }): Promise<TurnResult>
  endTurn(endpoint: EndpointName, turn: Turn): Promise<void>
  /** Undefined if it is not due, is settled, or another worker has it. */
  claim(name: DeliveryName, times: { now: number; until: number }): Promise<ClaimedDelivery | undefined>
  /** The endpoint as it is now, and the body to send; undefined if they are gone. */
  read(
    delivery: Delivery,
  ): Promise<{ readonly endpoint: ServedEndpoint | undefined; readonly body: string | undefined }>
  /** Does nothing if the claim has lapsed and another worker has the delivery. */
  settle(delivery: ClaimedDelivery, settlement: Settlement): Promise<void>
  /** Notes a failed or slow attempt; `failed` keeps the time of the first failure. */
  noteTrouble(
    endpoint: EndpointName,
    trouble: { readonly failedAt?: number; readonly slowUntil: number },
  ): Promise<void>
  /** Forgets failures after a success. */
  noteSuccess(endpoint: EndpointName): Promise<void>
  /**
   * Disables an endpoint that still has this URL. If it is failing, a notice to its owners is stored with it.
   * @returns whether this call disabled it
   */
  disable(endpoint: ServedEndpoint, reason: DisabledReason, now: number): Promise<boolean>
}
