import { z } from 'zod'
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
}

/** `settings` with what was sent. */
export function mergeSettings(settings: AccountSettings, sent: z.output<typeof settingsSchema>): AccountSettings {
  return {
    retryDays: sent.retry_days ?? settings.retryDays,
    afterRetries: sent.after_retries ?? settings.afterRetries,
    draftSeconds: sent.draft_seconds ?? settings.draftSeconds,
    afterDue: sent.after_due ?? settings.afterDue,
    afterDueDays: sent.after_due_days ?? settings.afterDueDays,
    willBeDueDays: sent.will_be_due_days ?? settings.willBeDueDays,
    overdueDays: sent.overdue_days ?? settings.overdueDays,
    searchLagSeconds: sent.search_lag_seconds ?? settings.searchLagSeconds,
    oneLivePer: sent.one_live_per ?? settings.oneLivePer,
    rateLimit: sent.rate_limit ?? settings.rateLimit,
    customerLock: sent.customer_lock ?? settings.customerLock,
    customerLockWaitMs: sent.customer_lock_wait_ms ?? settings.customerLockWaitMs,
    writeMs: sent.write_ms ?? settings.writeMs,
    earlyEvents: sent.early_events ?? settings.earlyEvents,
    missingSourceCode: sent.missing_source_code ?? settings.missingSourceCode,
    cancelIncomplete: sent.cancel_incomplete ?? settings.cancelIncomplete,
    webhookRetries: sent.webhook_retries ?? settings.webhookRetries,
  }
}

/** Settings in the snake case of the control interface. */
export function wireSettings(settings: AccountSettings) {
  return {
    retry_days: settings.retryDays,
    after_retries: settings.afterRetries,
    draft_seconds: settings.draftSeconds,
    after_due: settings.afterDue,
    after_due_days: settings.afterDueDays,
    will_be_due_days: settings.willBeDueDays,
    overdue_days: settings.overdueDays,
    search_lag_seconds: settings.searchLagSeconds,
    one_live_per: settings.oneLivePer,
    rate_limit: settings.rateLimit,
    customer_lock: settings.customerLock,
    customer_lock_wait_ms: settings.customerLockWaitMs,
    write_ms: settings.writeMs,
    early_events: settings.earlyEvents,
    missing_source_code: settings.missingSourceCode,
    cancel_incomplete: settings.cancelIncomplete,
    webhook_retries: settings.webhookRetries,
  }
}
