import * as z from 'zod'
import { isAcceptable } from '../wire/apiVersions.ts'
import type { AccountSettings } from './context.ts'

const limit = z.int().min(0).nullable()

/** Settings as the control interface takes them; members left out stay unchanged. */
export const settingsSchema = z.strictObject({
  retry_days: z.array(z.int().min(1)).optional(),
  after_retries: z.enum(['canceled', 'unpaid', 'past_due']).optional(),
  draft_seconds: z.int().min(0).optional(),
  after_due: z.enum(['canceled', 'unpaid', 'past_due']).optional(),
  after_due_days: z.int().min(0).optional(),
  will_be_due_days: z.array(z.int().min(1)).optional(),
  overdue_days: z.array(z.int().min(0)).optional(),
  search_lag_seconds: z.int().min(0).optional(),
  one_live_per: z.array(z.string()).optional(),
  rate_limit: z.strictObject({ global: limit.default(null), endpoint: limit.default(null) }).optional(),
  customer_lock: z.boolean().optional(),
  customer_lock_wait_ms: z.int().min(0).max(60_000).optional(),
  write_ms: z.int().min(0).max(60_000).optional(),
  early_events: z.boolean().optional(),
  missing_source_code: z.boolean().optional(),
  cancel_incomplete: z.enum(['voids', 'leaves_open']).optional(),
  webhook_retries: z.enum(['live', 'test']).optional(),
  api_versions: z.array(z.string().refine(isAcceptable, 'Name versions such as 2024-06-20, or any.')).optional(),
})

/** Account settings that apply if none are given. */
export const defaultSettings: AccountSettings = {
  retryDays: [3, 5, 7],
  afterRetries: 'canceled',
  draftSeconds: 3600,
  afterDue: 'canceled',
  afterDueDays: 30,
  willBeDueDays: [],
  overdueDays: [0],
  searchLagSeconds: 60,
  oneLivePer: [],
  rateLimit: { global: null, endpoint: null },
  customerLock: false,
  customerLockWaitMs: 5,
  writeMs: 20,
  earlyEvents: false,
  missingSourceCode: true,
  cancelIncomplete: 'voids',
  webhookRetries: 'test',
  apiVersions: [],
}

/** `settings` with what was sent, which has the same names in snake case. */
export function mergeSettings(settings: AccountSettings, sent: z.output<typeof settingsSchema>): AccountSettings {
  const named = (name: string) => name.replaceAll(/_[a-z]/g, (part) => part.slice(1).toUpperCase())
  return Object.assign({ ...settings }, ...Object.entries(sent).map(([name, value]) => ({ [named(name)]: value })))
}

/** Settings in the snake case of the control interface. */
export function wireSettings(settings: AccountSettings): Record<string, unknown> {
  const named = (name: string) => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [named(name), value]))
}
