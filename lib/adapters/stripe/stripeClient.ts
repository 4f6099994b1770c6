import Stripe from 'stripe'
import { ATTEMPT } from '../../billing/timing.ts'
import type { Secret } from '../../core/secret.ts'
import { createHttpClient } from './httpClient.ts'

/** Pinned: when a newer SDK moves the API version, it does not compile until you review this. */
const API_VERSION = '2026-10-28.endive'

/**
 * Stripe's SDK with limits that fit a function: two attempts at most, with the same key. Its defaults (80 s, 3
 * attempts) outlive any caller.
 * @param options.key the secret API key; if Stripe refuses it, it is read again and the request sent once more
 * @param options.apiBase another address of the Stripe API, such as an emulator's
 */
export function createStripeClient(options: { key: Secret; apiBase?: string | undefined }): Stripe {
  return new Stripe('', {
    // Replaces the key above, which could never change. `createHttpClient` adds the current key: if an authenticator
    // fails, this SDK never answers the request.
    authenticator: async () => {},
    apiVersion: API_VERSION,
    httpClient: createHttpClient(options.key),
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
