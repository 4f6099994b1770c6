import { stat } from 'node:fs/promises'
import type { ConsoleBundle } from '../../console/bundle/bundleConsole.ts'
import { demoBrowserConsole } from '../../data/demo.ts'
import { json, type WireAnswer } from '../http/apiGatewayAnswer.ts'
import { splitTarget, type WireRequest } from '../http/apiGatewayEvent.ts'
import type { LocalInfo } from '../info.ts'
import { withClockScript } from '../pages/clockControls.ts'
import { STRIPE_ITSELF } from '../settings.ts'

const BASE = '/_local/console/'

/**
 * `GET /_local/console`: the reference console. Every path below it that names no file is a page of the console. The first request
 * bundles it, and later requests bundle it again if a source has changed. Returns undefined for every other path.
 * @param make bundles the console for the path that serves it
 */
export function consoleControls(
  info: ConsoleSource,
  make: (base: string) => Promise<ConsoleBundle> = makeBundle,
): (request: WireRequest) => Promise<WireAnswer | undefined> {
  const config = consoleConfig(info)
  const bundle = bundleOnce(() => make(BASE))

  return async ({ method, url }) => {
    const { path } = splitTarget(url)
    if (`${path}/` !== BASE && !path.startsWith(BASE)) return undefined
    if (method !== 'GET' && method !== 'HEAD') return json(405, { detail: 'Method Not Allowed' })
    const name = path.slice(BASE.length)
    if (name === 'config.json') return json(200, config)
    const { files } = await bundle()
    const file = files.find(({ path }) => path === name) ?? files.find(({ path }) => path === 'index.html')
    if (file === undefined || (name.startsWith('assets/') && file.path !== name))
      return json(404, { detail: 'Not Found' })
    return {
      status: 200,
      headers: {
        'content-type': file.type,
        'content-security-policy': consolePolicy(config),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
      body: file.path === 'index.html' ? withClockScript(file.contents) : Buffer.from(file.contents),
    }
  }
}

/** Builds the bundle again if a source is newer. Concurrent requests share a build. */
function bundleOnce(make: () => Promise<ConsoleBundle>): () => Promise<ConsoleBundle> {
  let made: { bundle: Promise<ConsoleBundle>; at: number } | undefined
  return async () => {
    if (made !== undefined && !(await isStale(made))) return made.bundle
    const making = { bundle: make(), at: Date.now() }
    made = making
    making.bundle.catch(() => {
      if (made === making) made = undefined
    })
    return making.bundle
  }
}

/** Imports esbuild only now, so that a stack does not wait for it unless someone opens the console. */
async function makeBundle(base: string): Promise<ConsoleBundle> {
  const { bundleConsole } = await import('../../console/bundle/bundleConsole.ts')
  return bundleConsole(base)
}

async function isStale({ bundle, at }: { bundle: Promise<ConsoleBundle>; at: number }): Promise<boolean> {
  const { inputs } = await bundle
  const sources = inputs.filter((path) => !path.includes('node_modules'))
  const changed = await Promise.all(
    sources.map(async (path) => (await stat(path).catch(() => undefined))?.mtimeMs ?? at),
  )
  return changed.some((time) => time > at)
}

/** The console's `config.json`. */
interface ConsoleConfig {
  readonly issuer: string
  readonly client_id: string
  readonly api_base_url: string
  readonly stripe_publishable_key: string
  /** The script that defines `Stripe`. */
  readonly stripe_js_url: string
}

interface ConsoleSource extends Pick<LocalInfo, 'base_url' | 'issuer'> {
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
