import type { EndpointUrlFault } from '../endpointUrl.ts'

/** Why an attempt got no answer. */
export type SendFault = EndpointUrlFault | 'timeout' | 'connection_failed' | 'bad_certificate' | 'bad_answer'

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
