import * as z from 'zod'
import type { createChangeFeed } from '../core/changeFeed.ts'
import type { StripeCore } from '../core/stripeCore.ts'
import { afterSpan, spanHint, spanPattern } from '../core/timeSpan.ts'
import { faultPlanSchema } from '../faults/faultPlan.ts'
import { faultSchema } from '../faults/faults.ts'
import { disputeReasons } from '../payments/disputes.ts'
import { settingsSchema } from '../state/settings.ts'
import { StripeFault } from '../wire/errors.ts'
import { isRecord } from '../wire/wire.ts'
import type { WebhookPump } from './webhookPump.ts'

/** The answer of a control request. */
interface ControlAnswer {
  status: number
  body: unknown
}

/** What the control routes work on. `reset` also runs the seed. */
export interface ControlParts {
  core: StripeCore
  pump: WebhookPump
  changes: ReturnType<typeof createChangeFeed>
  reset: () => Promise<void>
}

type ControlRoute = (
  parts: ControlParts,
  body: unknown,
  query: URLSearchParams,
) => Promise<ControlAnswer> | ControlAnswer

const ok = (body: unknown): ControlAnswer => ({ status: 200, body })

const advanceSchema = z.union(
  [
    z.strictObject({ advance_seconds: z.int().min(0) }),
    z.strictObject({ advance: z.string().regex(spanPattern, spanHint) }),
  ],
  { error: `Send {"advance_seconds": 3600}, or {"advance": "1 month"}. ${spanHint}` },
)
const authenticateSchema = z.strictObject({ id: z.string(), outcome: z.enum(['succeed', 'fail']) })
const dashboardSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'DELETE']),
  path: z.string().startsWith('/v1/'),
  params: z.record(z.string(), z.unknown()).default({}),
})
const disputeSchema = z.strictObject({
  charge: z.string(),
  amount: z.int().min(1).optional(),
  reason: z.enum(disputeReasons).default('fraudulent'),
})
const closeSchema = z.strictObject({ id: z.string(), status: z.enum(['won', 'lost']) })
const modeSchema = z.strictObject({ mode: z.enum(['deliver', 'hold']) })
const rollSchema = z.strictObject({ id: z.string(), expires_in_seconds: z.int().min(0).max(86_400).default(86_400) })
const flushSchema = z.strictObject({
  order: z.enum(['fifo', 'lifo']).default('fifo'),
  copies: z.int().min(1).max(20).default(1),
})

function waitingFaults({ control: { faults } }: StripeCore): ControlAnswer {
  return ok({ faults: faults.scripted(), plan: faults.planReport() })
}

const controlRoutes: Record<string, ControlRoute> = {
  'GET /requests': ({ core }) => ok({ requests: core.control.requests() }),
  'DELETE /requests': ({ core }) => {
    core.control.clearRequests()
    return ok({ requests: [] })
  },
  'GET /faults': ({ core }) => waitingFaults(core),
  'POST /faults': ({ core }, body) => {
    if (isRecord(body) && 'seed' in body) core.control.faults.plan(faultPlanSchema.parse(body))
    else core.control.faults.add(faultSchema.parse(body))
    return waitingFaults(core)
  },
  'DELETE /faults': ({ core }) => {
    core.control.faults.clear()
    return waitingFaults(core)
  },
  'GET /settings': ({ core }) => ok(core.control.settings()),
  'POST /settings': ({ core }, body) => {
    core.control.changeSettings(settingsSchema.parse(body))
    return ok(core.control.settings())
  },
  'GET /clock': ({ core }) => ok({ now: core.now() }),
  'POST /clock': ({ core }, body) => {
    const sent = advanceSchema.parse(body)
    const seconds = 'advance' in sent ? afterSpan(core.now(), sent.advance) - core.now() : sent.advance_seconds
    return ok({ now: core.advance(seconds) })
  },
  'POST /clock/reset': ({ core }) => ok({ now: core.resetClock() }),
  'POST /authenticate': ({ core }, body) => {
    const { id, outcome } = authenticateSchema.parse(body)
    return ok(core.control.authenticate(id, outcome))
  },
  'POST /dashboard': ({ core }, body) => {
    const { method, path, params } = dashboardSchema.parse(body)
    return core.call(method, path, params)
  },
  'POST /disputes': ({ core }, body) => {
    const { charge, ...terms } = disputeSchema.parse(body)
    return ok(core.control.dispute(charge, terms))
  },
  'POST /disputes/close': ({ core }, body) => {
    const { id, status } = closeSchema.parse(body)
    return ok(core.control.closeDispute(id, status))
  },
  'POST /webhooks': ({ core }, body) => {
    core.setWebhookMode(modeSchema.parse(body).mode)
    return ok({ mode: core.webhookMode() })
  },
  'POST /webhooks/flush': async ({ pump }, body) => ok({ delivered: await pump.flush(flushSchema.parse(body)) }),
  'POST /webhooks/roll': ({ core }, body) => {
    const { id, expires_in_seconds } = rollSchema.parse(body)
    return ok(core.control.rollSecret(id, expires_in_seconds))
  },
  'GET /changes': ({ changes }, _body, query) => ok(changes(query.get('after') ?? undefined)),
  'GET /state': ({ core }) => ok(core.control.state()),
  'GET /violations': ({ core }) => ok({ violations: core.violations() }),
  'POST /reset': async ({ core, reset }) => {
    await reset()
    return ok({ now: core.now() })
  },
}

/** Answers a request under `/_emulator`; `target` is the rest of the URL, with its query. Bad input is 400, an unknown path 404, both with Stripe's envelope. */
export async function controlAnswer(
  parts: ControlParts,
  method: string,
  target: string,
  text: string,
): Promise<ControlAnswer> {
  const [path = '', query] = target.split('?')
  const answer = controlRoutes[`${method} ${path}`]
  const refuse = (status: number, message: string) => ({
    status,
    body: { error: { type: 'invalid_request_error', message } },
  })
  if (answer === undefined) return refuse(404, `No such control: ${method} /_emulator${path}`)
  try {
    const body: unknown = text === '' ? {} : JSON.parse(text)
    const answered = await answer(parts, body, new URLSearchParams(query))
    // Moving the clock or authenticating may break the books as a request may.
    return (method === 'POST' ? parts.core.control.brokenBooks() : undefined) ?? answered
  } catch (error) {
    if (error instanceof StripeFault) return { status: error.status, body: { error: error.body } }
    if (error instanceof z.ZodError) return refuse(400, z.prettifyError(error))
    if (error instanceof SyntaxError) return refuse(400, 'The body is not JSON.')
    throw error
  } finally {
    parts.pump.kick()
  }
}
