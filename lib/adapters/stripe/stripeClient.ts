import Stripe from 'stripe'
import { ATTEMPT } from '../../billing/timing.ts'
import { limitedFetch } from './wireCall.ts'

/** Pinned: a newer SDK that moves the API version does not compile until this is looked at. */
const API_VERSION = '2026-10-28.endive'

/**
 * Stripe's SDK with limits that fit a function: two attempts at most, with the same key. Its defaults (80 s, 3 attempts) outlive any caller; with `fetch`, unlike
 * with its node client, the timeout is one for the whole attempt and a closed connection is not tried once more in secret.
 * @param options.apiBase another address of the Stripe API, such as a stand-in's
 */
export function createStripeClient(options: { secretKey: string; apiBase?: string | undefined }): Stripe {
  return new Stripe(options.secretKey, {
    apiVersion: API_VERSION,
    httpClient: Stripe.createFetchHttpClient(limitedFetch),
    timeout: ATTEMPT,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(options.apiBase !== undefined && address(options.apiBase)),
  })
}

function address(apiBase: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname, port, protocol } = new URL(apiBase)
  return protocol === 'http:'
    ? { host: hostname, port: port || '80', protocol: 'http' }
    : { host: hostname, port: port || '443', protocol: 'https' }
}
