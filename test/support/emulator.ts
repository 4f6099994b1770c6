import * as z from 'zod'

/** A fault of the Stripe emulator, as its control interface takes it. */
export interface StripeFault {
  method: string
  path: string
  times?: number
  kind: 'status' | 'drop_before' | 'drop_after' | 'delay'
  status?: number
  body?: unknown
  saved?: boolean
  effect?: boolean
  delay_ms?: number
}

/** How often a call to Stripe is lost for good: its SDK retries once. */
export const BOTH_ATTEMPTS = 2

const requestsSchema = z.object({
  requests: z.array(
    z.looseObject({
      method: z.string(),
      path: z.string(),
      idempotency_key: z.string().nullable(),
      status: z.number().nullable(),
      replayed: z.boolean(),
    }),
  ),
})
const flushSchema = z.object({
  delivered: z.array(z.object({ id: z.string(), type: z.string(), status: z.number() })),
})
const disputeSchema = z.object({ id: z.string() })
const clockSchema = z.object({ now: z.number() })
const violationsSchema = z.object({ violations: z.array(z.unknown()) })

/** The control interface of the Stripe emulator. */
export function createEmulator(apiBase: string) {
  async function control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${apiBase}/_emulator${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }

  return {
    fault: (fault: StripeFault) => control('POST', '/faults', { times: 1, ...fault }),
    clearFaults: () => control('DELETE', '/faults'),
    advance: (seconds: number) => control('POST', '/clock', { advance_seconds: seconds }),
    authenticate: (id: string, outcome: 'succeed' | 'fail') => control('POST', '/authenticate', { id, outcome }),
    /** Opens a dispute of a paid charge, as its cardholder does. */
    dispute: async (charge: string) => disputeSchema.parse(await control('POST', '/disputes', { charge })),
    webhooks: (mode: 'deliver' | 'hold') => control('POST', '/webhooks', { mode }),
    /** Delivers everything that is due, and waits for it. */
    flush: async (order: 'fifo' | 'lifo' = 'fifo', copies = 1) =>
      flushSchema.parse(await control('POST', '/webhooks/flush', { order, copies })).delivered,
    /** What the service asked of Stripe since the log was cleared. */
    requests: async () => requestsSchema.parse(await control('GET', '/requests')).requests,
    clearRequests: () => control('DELETE', '/requests'),
    /** Changes settings of the account, by their names on the wire, until the next reset. */
    settings: (change: object) => control('POST', '/settings', change),
    /** Lets a test break the rule of one live subscription on purpose, until the next reset. */
    allowSeveralLive: () => control('POST', '/settings', { one_live_per: [] }),
    violations: async () => violationsSchema.parse(await control('GET', '/violations')).violations,
    /** The emulator's clock, which is the service's: Unix seconds. */
    now: async () => clockSchema.parse(await control('GET', '/clock')).now,
  }
}

export type Emulator = ReturnType<typeof createEmulator>
