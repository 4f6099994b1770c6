/** A metric of the service. */
export interface Metric {
  readonly unit: 'Count' | 'Seconds'
  /** Beside `service` and `stage`. */
  readonly dimension?: string
  /** It is counted without its dimension as well: an alarm adds up ten metrics at most. */
  readonly total?: true
  /** It also has the dimensions `function` and `version` of the function that counts it. */
  readonly ofVersion?: true
}

/** Every metric. Alarms refer to these names. */
export const metrics = {
  LinesBought: { unit: 'Count' },
  LinesRefused: { unit: 'Count', dimension: 'reason', total: true },
  CouponsRefused: { unit: 'Count' },
  PurchasesUnknown: { unit: 'Count' },
  PendingAge: { unit: 'Seconds' },
  WebhookLag: { unit: 'Seconds' },
  WebhooksNotRecorded: { unit: 'Count' },
  WebhooksForged: { unit: 'Count' },
  EventsIgnored: { unit: 'Count', dimension: 'because' },
  OrphanedSubscriptions: { unit: 'Count' },
  SubscriptionsReported: { unit: 'Count' },
  Drift: { unit: 'Count' },
  DriftLeft: { unit: 'Count' },
  ReconciliationAge: { unit: 'Seconds' },
  TokensRefused: { unit: 'Count', dimension: 'reason' },
  RateLimited: { unit: 'Count' },
  KmsFailures: { unit: 'Count' },
  MailsNotSent: { unit: 'Count' },
  EventsNotRelayed: { unit: 'Count' },
  StripeKeyRefused: { unit: 'Count' },
  /** Calls of Stripe whose outcome is unknown: no answer, or 5xx. */
  StripeNotAnswering: { unit: 'Count' },
  /** 5xx answers from the function itself: Lambda counts them as served. */
  VersionFaults: { unit: 'Count', ofVersion: true },
} as const satisfies Readonly<Record<string, Metric>>

export type MetricName = keyof typeof metrics
