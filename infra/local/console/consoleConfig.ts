import { demoBrowserConsole } from '../../data/demo.ts'
import type { LocalInfo } from '../info.ts'
import { STRIPE_ITSELF } from '../settings.ts'

/** The console's `config.json`. */
interface ConsoleConfig {
  readonly issuer: string
  readonly client_id: string
  readonly api_base_url: string
  readonly stripe_publishable_key: string
  /** The script that defines `Stripe`. */
  readonly stripe_js_url: string
}

export interface ConsoleSource extends Pick<LocalInfo, 'base_url' | 'issuer'> {
  readonly stripe: Pick<LocalInfo['stripe'], 'api_base' | 'publishable_key'>
}

/** The configuration for this stack. If the stack uses Stripe's test mode, the page loads Stripe's own script. */
export function consoleConfig({ base_url, issuer, stripe }: ConsoleSource): ConsoleConfig {
  const own = stripe.api_base === STRIPE_ITSELF
  return {
    issuer,
    client_id: demoBrowserConsole.clientId,
    api_base_url: base_url,
    stripe_publishable_key: stripe.publishable_key,
    stripe_js_url: own ? 'https://js.stripe.com/endive/stripe.js' : `${stripe.api_base}/v3/`,
  }
}

/** The sources that Stripe.js needs in a page's policy: https://docs.stripe.com/security/guide#content-security-policy */
const stripeItself = {
  script: 'https://js.stripe.com https://*.js.stripe.com',
  frame: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
  connect: 'https://api.stripe.com',
}

/** The Content-Security-Policy of the console's pages: its own files, the API, and Stripe.js with its frames. */
export function consolePolicy({ issuer, api_base_url, stripe_js_url }: ConsoleConfig): string {
  const { origin } = new URL(stripe_js_url)
  const stripe = origin === 'https://js.stripe.com' ? stripeItself : { script: origin, frame: origin, connect: origin }
  const api = [...new Set([new URL(issuer).origin, new URL(api_base_url).origin])].join(' ')
  return [
    "default-src 'none'",
    `script-src 'self' ${stripe.script}`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${api} ${stripe.connect}`,
    `frame-src ${stripe.frame}`,
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
