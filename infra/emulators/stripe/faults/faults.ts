import * as z from 'zod'

/** A fault to inject into the next `times` matching requests; `path` may end in `*`. What each kind does: README. */
export const faultSchema = z.strictObject({
  method: z.string().transform((method) => method.toUpperCase()),
  path: z.string(),
  times: z.int().min(1).default(1),
  kind: z.enum(['status', 'drop_before', 'drop_after', 'delay']),
  status: z.int().min(200).max(599).optional(),
  body: z.unknown().optional(),
  saved: z.boolean().default(false),
  effect: z.boolean().default(false),
  delay_ms: z.int().min(0).max(600_000).default(1000),
})

/** A checked fault. */
export type Fault = z.output<typeof faultSchema>

/** Whether a fault is meant for this request. */
export function faultMatches(fault: Pick<Fault, 'method' | 'path'>, method: string, path: string): boolean {
  if (fault.method !== '*' && fault.method !== method) return false
  return fault.path.endsWith('*') ? path.startsWith(fault.path.slice(0, -1)) : path === fault.path
}

const messages: Record<number, { type: string; code?: string; message: string }> = {
  402: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
  409: {
    type: 'invalid_request_error',
    code: 'lock_timeout',
    message: 'This object cannot be accessed right now. Try again later.',
  },
  429: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests hit the API too quickly.' },
}

/** Status and body of a `status` fault. If no body is given, it is Stripe's error envelope. */
export function faultAnswer(fault: { status?: number | undefined; body?: unknown }): { status: number; body: string } {
  const status = fault.status ?? 500
  const plain = { type: status >= 500 ? 'api_error' : 'invalid_request_error', message: `Injected fault: ${status}.` }
  const body = fault.body ?? { error: messages[status] ?? plain }
  return { status, body: typeof body === 'string' ? body : JSON.stringify(body) }
}
