import { randomUUID } from 'node:crypto'
import pRetry from 'p-retry'
import type Stripe from 'stripe'
import * as z from 'zod'
import { isLocked, whileLocked } from '../../lib/adapters/stripe/wireCall.ts'
import type { DemoUser } from '../data/demo.ts'
import { stripeClient } from '../stripe/stripeClient.ts'
import { type LocalInfo, localInfo } from './info.ts'

/** An answer of the API, with parsed JSON as `body`. */
export interface ApiAnswer {
  readonly status: number
  readonly body: unknown
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Including the query. */
  readonly path: string
  readonly token?: string
  readonly body?: unknown
  /** In addition to those for the body and the token, for example `If-Match`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Header names are in lower case. */
export interface ApiExchange extends ApiAnswer {
  readonly headers: Readonly<Record<string, string>>
}

const codeAnswer = z.object({ code: z.string() })
const tokenAnswer = z.object({ access_token: z.string(), refresh_token: z.string() })
const clockAnswer = z.object({ now: z.number() })
const setupAnswer = z.object({ client_secret: z.string() })

/** A third of a token's lifetime. */
const TOKEN_REUSED_SECONDS = 300

/** Reads `/_local/info` of the stack at `baseUrl`. Returns undefined if no stack answers within 10 s. */
export async function findStack(baseUrl: string): Promise<LocalInfo | undefined> {
  const response = await fetch(`${baseUrl}/_local/info`, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined)
  const info = localInfo.safeParse(await response?.json().catch(() => undefined))
  return info.success ? info.data : undefined
}

/** Calls a running stack like a console in a browser, for the demo, sample events and tests. */
export interface LocalClient {
  readonly info: LocalInfo
  readonly stripe: Stripe
  send(request: ApiRequest): Promise<ApiAnswer>
  /** Like `send`, and returns the headers too. */
  sendForHeaders(request: ApiRequest): Promise<ApiExchange>
  /** Issues an authorization code of a demo user. */
  authorizationCode(user: DemoUser, scope?: string): Promise<string>
  /** Exchanges a code for tokens. Throws if the answer has none. */
  exchange(code: string): Promise<z.infer<typeof tokenAnswer>>
  /** Exchanges a new code of a demo user. */
  signIn(user: DemoUser): Promise<z.infer<typeof tokenAnswer>>
  /** An access token of a demo user, valid for minutes by the stack's clock. Returns the previous token if it is still valid for that long. */
  accessToken(user: DemoUser): Promise<string>
  /** Creates an organization and gives the demo users owner, billing_admin and member those roles. Returns its id. */
  newOrganization(): Promise<string>
  /**
   * Sets a card up like Stripe.js, 3-D Secure included.
   * @param testCard Stripe's name for it: `pm_card_visa`
   * @returns the id of the payment method
   */
  addCard(card: { token: string; organizationId: string; testCard: string }): Promise<string>
  /** Posts to a control of the Stripe emulator, such as `clock`. Throws if it refuses. */
  control(path: string, body: object): Promise<void>
  /** Resolves when every event so far is delivered, and the webhook has written its changes. */
  deliverWebhooks(): Promise<void>
  /** Finishes the 3-D Secure step of a `pi_...` or `seti_...`. */
  authenticate(id: string, outcome: 'succeed' | 'fail'): Promise<void>
}

/** Receives every request with its answer. */
export type Observe = (request: ApiRequest, answer: ApiExchange) => void

/** @see LocalClient */
export function localClient(info: LocalInfo, observe: Observe = () => {}): LocalClient {
  const { demo } = info
  const stripe = stripeClient(info.stripe.api_base, info.stripe.secret_key)

  async function sendForHeaders(request: ApiRequest): Promise<ApiExchange> {
    const { method, path, token, body, headers } = request
    const response = await fetch(info.base_url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = {
      status: response.status,
      body: response.status === 204 ? null : await response.json(),
      headers: Object.fromEntries(response.headers),
    }
    observe(request, answer)
    return answer
  }

  async function send(request: ApiRequest): Promise<ApiAnswer> {
    const { status, body } = await sendForHeaders(request)
    return { status, body }
  }

  async function authorizationCode(user: DemoUser, scope?: string): Promise<string> {
    const request = { user_id: demo[user].id, redirect_uri: demo.redirect_uri, scope }
    const { body } = await send({ method: 'POST', path: '/_local/authorization-codes', body: request })
    return codeAnswer.parse(body).code
  }

  async function exchange(code: string): Promise<z.infer<typeof tokenAnswer>> {
    const { client_id, client_secret, redirect_uri } = demo
    const request = { client_id, client_secret, grant_type: 'authorization_code', code, redirect_uri }
    const { body } = await send({ method: 'POST', path: '/api/oauth/token', body: request })
    return tokenAnswer.parse(body)
  }

  async function control(path: string, body: object): Promise<void> {
    const response = await fetch(`${info.stripe.api_base}/_emulator/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${response.status} ${await response.text()}`)
  }

  /** The stack's clock in unix seconds, or the machine's clock if the stack runs against Stripe itself. */
  async function now(): Promise<number> {
    const response = await fetch(`${info.stripe.api_base}/_emulator/clock`)
    return response.ok ? clockAnswer.parse(await response.json()).now : Date.now() / 1000
  }

  const tokens = new Map<DemoUser, { readonly token: string; readonly until: number }>()

  async function accessToken(user: DemoUser): Promise<string> {
    const at = await now()
    const known = tokens.get(user)
    if (known !== undefined && at < known.until) return known.token
    const { access_token: token } = await exchange(await authorizationCode(user))
    tokens.set(user, { token, until: at + TOKEN_REUSED_SECONDS })
    return token
  }

  const authenticate = (id: string, outcome: 'succeed' | 'fail') => control('authenticate', { id, outcome })

  return {
    info,
    stripe,
    send,
    sendForHeaders,
    authorizationCode,
    authenticate,
    control,
    deliverWebhooks: () => control('webhooks/flush', { order: 'fifo' }),

    exchange,
    signIn: async (user) => exchange(await authorizationCode(user)),
    accessToken,

    async newOrganization() {
      const organization_id = randomUUID()
      const memberships = (['owner', 'billing_admin', 'member'] as const).map((role) =>
        send({ method: 'POST', path: '/_local/memberships', body: { user_id: demo[role].id, organization_id, role } }),
      )
      await Promise.all(memberships)
      return organization_id
    },

    async addCard({ token, organizationId, testCard }) {
      const path = `/api/billing/card-gateway/setup-intent?organization_id=${organizationId}`
      const { body } = await send({ method: 'POST', path, token })
      const id = setupAnswer.parse(body).client_secret.split('_secret_')[0] ?? ''
      // When the service projects an event, it may hold the customer's lock. A buyer's page waits for it, too.
      const confirm = () => stripe.setupIntents.confirm(id, { payment_method: testCard })
      const setup = await pRetry(confirm, { ...whileLocked, shouldRetry: ({ error }) => isLocked(error) })
      if (setup.status === 'requires_action') await authenticate(id, 'succeed')
      const { payment_method } = await stripe.setupIntents.retrieve(id)
      if (typeof payment_method !== 'string') throw new Error(`${testCard} was not set up`)
      return payment_method
    },
  }
}
