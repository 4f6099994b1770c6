import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createChangeFeed } from '../core/changeFeed.ts'
import { createStripeCore, type StripeCore } from '../core/stripeCore.ts'
import { serveInvoice } from '../page/serveInvoice.ts'
import { servePage } from '../page/servePage.ts'
import { serveStripeJs } from '../page/serveStripeJs.ts'
import { replay } from '../state/changes.ts'
import type { AccountSettings } from '../state/context.ts'
import { emptyState } from '../state/state.ts'
import { usualPublishableKeys, usualSecretKeys } from '../wire/apiKey.ts'
import { corsHeaders, preflightHeaders } from '../wire/cors.ts'
import { answerChannel } from './answerChannel.ts'
import { type ControlParts, controlAnswer } from './controlRoutes.ts'
import { createWebhookPump, postWebhook, type SendWebhook, type WebhookPump } from './webhookPump.ts'

// An import of node:http loads the client of fetch as well, which costs a quarter of the start.
const { createServer } = process.getBuiltinModule('node:http')

/** How to start the emulator. */
export interface StripeServerOptions {
  /** 0 (the default) takes a free port. */
  port?: number
  /** The key or keys that are accepted; the usual keys if left out. */
  secretKey?: string | readonly string[] | undefined
  /** The key or keys that are accepted from browsers, for what Stripe.js needs; the usual keys if left out. */
  publishableKey?: string | readonly string[] | undefined
  /** Fills the catalog through the core's own request path; runs at the start and after a reset, so it must be idempotent. */
  seed?: ((core: StripeCore) => void | Promise<void>) | undefined
  /** State saved by `core.snapshot()`. */
  snapshot?: unknown
  /** Changes since the snapshot, oldest first, as `storage` took note of them. */
  changes?: readonly unknown[] | undefined
  /** Keeps the state: notes each change at once, and resolves `flush` when all are on disk; no answer is sent before. */
  storage?: { note(change: object): void; flush(): Promise<void> } | undefined
  settings?: Partial<AccountSettings> | undefined
  /** Real unix seconds; the system's clock if left out. */
  now?: () => number
  random?: () => number
  /** Called with each new warning; by default it is printed. */
  warn?: (message: string) => void
  /** Carries webhooks; over HTTP if left out. */
  sendWebhook?: SendWebhook
}

/** A running emulator on loopback. */
export interface StripeServer {
  /** `http://127.0.0.1:<port>`: the API is under `/v1`, the controls under `/_emulator`. */
  apiBase: string
  core: StripeCore
  pump: WebhookPump
  /** Restores the seeded state, with the first settings and an empty log. */
  reset(): Promise<void>
  /** Stops listening, cuts open connections and waits for webhooks under way. */
  close(): Promise<void>
}

/** An answer that is no answer of the API. */
interface Sent {
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

/** Everything that is no call of the API: the controls and their page, Stripe.js, pages of invoices. Undefined for a call of the API. */
async function servePages(
  parts: ControlParts,
  storage: StripeServerOptions['storage'],
  { method, url, body }: { method: string; url: string; body: string },
): Promise<Sent | undefined> {
  const [path = ''] = url.split('?')
  if (path.startsWith('/_emulator')) {
    const control = path.slice('/_emulator'.length)
    const page = method === 'GET' ? await servePage(control) : undefined
    if (page !== undefined) return page
    const answer = await controlAnswer(parts, method, url.slice('/_emulator'.length), body)
    await storage?.flush()
    const date = new Date(parts.core.now() * 1000).toUTCString()
    return {
      status: answer.status,
      headers: { 'content-type': 'application/json', date },
      body: JSON.stringify(answer.body, null, 2),
    }
  }
  if (method !== 'GET') return undefined
  if (/^\/(i|invoice)\//.test(path)) return serveInvoice(parts.core.control.hostedInvoice(path))
  return serveStripeJs(path)
}

async function serve(
  parts: ControlParts,
  { storage }: StripeServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const body = await readBody(request)
  // The date is the emulator's, which may differ from the machine's by months.
  response.sendDate = false
  const page = await servePages(parts, storage, { method, url, body })
  if (page !== undefined) {
    response.writeHead(page.status, page.headers).end(page.body)
    return
  }
  if (method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
    response.writeHead(204, preflightHeaders(request.headers['access-control-request-headers'])).end()
    return
  }
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, single(value)]))
  const answer = await parts.core.handle({ method, path: url, headers, body })
  await storage?.flush()
  parts.pump.kick()
  if (answer === undefined) {
    request.socket.destroy()
    return
  }
  if (answerChannel.hasSubscribers)
    answerChannel.publish({ method, path: url, status: answer.status, body: answer.body })
  response.writeHead(answer.status, { ...answer.headers, ...corsHeaders })
  response.end(answer.body)
}

/** Starts the emulator on 127.0.0.1 and seeds it. Rejects when the port is taken or the seed fails. */
export async function startStripeServer(options: StripeServerOptions): Promise<StripeServer> {
  let apiBase = 'http://127.0.0.1'
  const core = createStripeCore({
    now: options.now ?? (() => Date.now() / 1000),
    random: options.random ?? Math.random,
    secretKeys: [options.secretKey ?? usualSecretKeys].flat(),
    publishableKeys: [options.publishableKey ?? usualPublishableKeys].flat(),
    settings: options.settings,
    snapshot: options.changes?.length ? replay(options.snapshot ?? emptyState(), options.changes) : options.snapshot,
    onChange: options.storage?.note,
    warn: options.warn ?? ((message) => console.warn(`stripe emulator: ${message}`)),
    deliver: () => pump.deliverDue(),
    apiBase: () => apiBase,
  })
  const pump = createWebhookPump(core, options.sendWebhook ?? postWebhook)
  const seed = async () => options.seed?.(core)
  await seed()
  const seeded = core.snapshot()
  const parts: ControlParts = {
    core,
    pump,
    changes: createChangeFeed(core.control),
    async reset() {
      core.reset(seeded)
      await seed()
    },
  }
  const server = createServer((request, response) => {
    serve(parts, options, request, response).catch((error: unknown) => {
      // A client that closes the connection while sending is no error.
      if (!request.destroyed) console.error('stripe emulator:', error)
      response.destroy()
    })
  })
  apiBase = await listen(server, options.port ?? 0)
  const timer = setInterval(() => {
    core.tick()
    pump.kick()
  }, 1000).unref()
  return {
    apiBase,
    core,
    pump,
    reset: parts.reset,
    async close() {
      clearInterval(timer)
      core.close()
      if (server.listening) {
        const closed = once(server, 'close')
        server.close().closeAllConnections()
        await closed
      }
      await pump.close()
    },
  }
}

/** Listens on 127.0.0.1, on a free port if `port` is 0. Returns the URL; rejects when the port is taken. */
export async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`
}
