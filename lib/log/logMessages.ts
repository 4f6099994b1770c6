import { error, info, type LogMessage, warn } from './logMessage.ts'

const purchase = { organizationId: 'id', product: 'code', n: 'number' } as const
const overdue = { currency: 'code', amount: 'number', invoices: 'number', since: 'code' } as const

/**
 * Every message that the service logs, with every field that it may carry; nothing else is ever written. No field may contain a secret, a
 * token, a code, any part of a body, an email address or a gateway customer.
 */
export const logMessages = {
  'Request refused': info(
    { code: 'code', status: 'number', reason: 'sentence', cause: 'code' },
    { metric: 'WebhooksForged', when: { code: ['invalid_signature'] } },
  ),
  'Token request refused': info(
    { code: 'code', status: 'number', reason: 'sentence' },
    { metric: 'TokensRefused', dimension: 'code' },
  ),
  'Request not served': error(
    { code: 'code', status: 'number', reason: 'sentence', cause: 'code' },
    { metric: 'VersionFaults' },
  ),
  'Request failed': error({ name: 'code', stack: 'stack' }, { metric: 'VersionFaults' }),
  'Sign-in refused': info({ code: 'code' }),
  'Second factor refused': info({ code: 'code' }),
  'Authorization refused': info({ code: 'code', clientId: 'id', reason: 'sentence' }),
  'Rate limit exceeded': warn({ functionName: 'code' }, { metric: 'RateLimited' }),
  'Answer not stored': warn({ reason: 'sentence' }),
  'Use of an API client not noted': warn({ reason: 'sentence' }),
  'Sign-in rules not read': warn({ userId: 'id', reason: 'sentence' }),
  'Origins of clients not read': warn({ reason: 'sentence' }),
  'Rate limit not checked': warn({ functionName: 'code', reason: 'sentence' }),
  'Token family revoked': warn({ familyId: 'id', reason: 'sentence' }),
  'Token family ended': info({ familyId: 'id' }),
  'Session ended': info({ sessionId: 'id' }),
  'Device code refused': info({}),
  'Device decided': info({ clientId: 'id', outcome: 'code' }),
  'Sign-in provider not reached': warn({ provider: 'code', reason: 'code' }),
  'Sign-in at a provider refused': info({ provider: 'code', code: 'code', reason: 'code' }),
  'Sign-in provider connected': info({ provider: 'code', userId: 'id' }),
  'Signed out by the provider of a company': info({ organizationId: 'id', users: 'number' }),
  'Consent withdrawn': info({ clientId: 'id' }),
  'Breached passwords not asked': warn({ reason: 'sentence' }),
  'Argon2 of the runtime not used': warn({ reason: 'sentence' }),
  'Events not relayed': error({ organizationId: 'id', reason: 'sentence' }, { metric: 'EventsNotRelayed' }),
  'Account not erased': error({ userId: 'id', step: 'code', reason: 'sentence' }),
  'Second factors not removed': error({ userId: 'id', step: 'code', reason: 'sentence' }),
  'Organization not erased': error({ organizationId: 'id', step: 'code', reason: 'sentence' }),
  'Not joined by domain': error({ userId: 'id', reason: 'sentence' }),
  'Domain not checked': error({ organizationId: 'id', reason: 'sentence' }),
  'Domain lost': info({ organizationId: 'id' }),
  'Domains checked': info({
    proven: 'number',
    missing: 'number',
    lost: 'number',
    unanswered: 'number',
    failed: 'number',
  }),
  'Organization left without an owner': error({ organizationId: 'id' }),
  'Deletions of organizations ran': info({ reminded: 'number', erased: 'number', failed: 'number' }),
  'Deletions of accounts ran': info({ reminded: 'number', erased: 'number', failed: 'number' }),
  'Activity not recorded': error({ type: 'code', reason: 'sentence' }),
  'Mail not sent': error({ reason: 'sentence' }),
  'Mails to others not sent': info({ userId: 'id', organizationId: 'id' }),
  'Money mail dropped': error({ organizationId: 'id', kind: 'code', reason: 'sentence' }, { metric: 'MailsNotSent' }),
  'Money mails sent': info({ sent: 'number', dropped: 'number', failed: 'number' }),
  'SES call failed': error({ reason: 'code' }, { metric: 'MailsNotSent' }),
  'KMS call failed': error({ key: 'code', organizationId: 'id', reason: 'code' }, { metric: 'KmsFailures' }),
  'Gateway call failed': warn(
    {
      outcome: 'code',
      attempts: 'number',
      type: 'code',
      code: 'code',
      declineCode: 'code',
      param: 'code',
      status: 'number',
      gatewayRequestId: 'id',
    },
    { metric: 'StripeKeyRefused', when: { status: [401] } },
    { metric: 'StripeNotAnswering', when: { outcome: ['unknown'] } },
  ),

  'Endpoint disabled': warn({ endpointId: 'id', organizationId: 'id', reason: 'code' }),
  'Deliveries not ended': error({ endpointId: 'id', reason: 'sentence' }),
  'Deliveries not made': error({ endpointId: 'id', reason: 'sentence' }),
  'Deliveries made': info({ delivered: 'number', failed: 'number' }),

  'Lines bought': info({ lines: 'number' }, { metric: 'LinesBought', value: 'lines' }),
  'Lines refused': info(
    { reason: 'code', lines: 'number' },
    { metric: 'LinesRefused', value: 'lines', dimension: 'reason' },
    {
      metric: 'CouponsRefused',
      value: 'lines',
      when: { reason: ['coupon_already_redeemed', 'coupon_invalid', 'coupon_expired', 'coupon_not_applicable'] },
    },
  ),
  'Claim not written': error({ reason: 'sentence' }),
  'Claim not confirmed': error({ reason: 'sentence' }),
  'Claim not given back': error(purchase),
  'Purchase outcome unknown': warn(purchase, { metric: 'PurchasesUnknown' }),
  'Purchase not settled': error({ ...purchase, reason: 'sentence' }, { metric: 'PurchasesUnknown' }),
  'Customer not bound': error({ organizationId: 'id', reason: 'sentence' }),
  'Customer refused but not deleted': error({ organizationId: 'id' }),
  'Customer is gone at the gateway': warn({ organizationId: 'id', forgotten: 'flag' }),
  'Subscription schedule released': warn({ subscriptionId: 'id', scheduleId: 'id' }),
  'Orphaned subscription': error(
    { ...purchase, subscriptionId: 'id', refunded: 'flag', canceled: 'flag' },
    { metric: 'OrphanedSubscriptions' },
  ),
  'Subscription reported': error(
    { ...purchase, subscriptionId: 'id', why: 'sentence' },
    { metric: 'SubscriptionsReported' },
  ),

  'Event received': info({ kind: 'code', lagSeconds: 'number' }, { metric: 'WebhookLag', value: 'lagSeconds' }),
  'Event ignored': info({ type: 'code', because: 'sentence' }, { metric: 'EventsIgnored', dimension: 'because' }),
  'Event not recorded': error({ reason: 'sentence' }, { metric: 'WebhooksNotRecorded' }),
  'Subscription projected': info({ ...purchase, state: 'code' }),

  'Pending purchases swept': info(
    { pending: 'number', oldestSeconds: 'number', swept: 'number', resolved: 'number' },
    { metric: 'PendingAge', value: 'oldestSeconds' },
  ),
  'Purchase not swept': error({ organizationId: 'id', product: 'code', reason: 'sentence' }),
  Drift: warn({
    organizationId: 'id',
    product: 'code',
    subscriptionId: 'id',
    here: 'sentence',
    there: 'sentence',
    remedy: 'code',
    why: 'sentence',
    done: 'flag',
  }),
  'Page not compared': error({ phase: 'code', reason: 'sentence' }),
  'Reconciliation ran': info({ age: 'number' }, { metric: 'ReconciliationAge', value: 'age' }),
  'Reconciled with the gateway': info(
    {
      events: 'number',
      subscriptions: 'number',
      slots: 'number',
      refunds: 'number',
      disputes: 'number',
      overdue: 'number',
      drift: 'number',
      left: 'number',
    },
    { metric: 'Drift', value: 'drift' },
    { metric: 'DriftLeft', value: 'left' },
  ),
  'Invoices overdue': info({ organizationId: 'id', ...overdue }),
  'Invoices overdue in all': info({ ...overdue }),
  'Slot changed by an operator': warn({ ...purchase, subscriptionId: 'id', command: 'code', from: 'code', to: 'code' }),
  'Account changed by an operator': warn({ userId: 'id', command: 'code', organizations: 'number' }),
  'Scopes changed by an operator': warn({ clientId: 'id' }),
  'Invoice written off by an operator': warn({
    organizationId: 'id',
    invoiceId: 'id',
    amount: 'number',
    currency: 'code',
  }),
  'Customer bound anew by an operator': warn({ organizationId: 'id' }),
  'Organization throttled by an operator': warn({ organizationId: 'id', requestsPerMinute: 'number' }),
  'Gateway switched by an operator': warn({ organizationId: 'id', from: 'code', to: 'code', daysUntilDue: 'number' }),
} as const satisfies Readonly<Record<string, LogMessage>>

type LogMessages = typeof logMessages

/** A message of the log, by its words. */
export type MessageName = keyof LogMessages

type ValueOf<Kind> = Kind extends 'number' ? number : Kind extends 'flag' ? boolean : string

/** The fields that a message may carry. */
export type FieldsOf<Name extends MessageName> = {
  readonly [Field in keyof LogMessages[Name]['fields']]?: ValueOf<LogMessages[Name]['fields'][Field]> | undefined
}

/** The messages of a level. */
export type MessageAt<Level> = {
  [Name in MessageName]: LogMessages[Name]['level'] extends Level ? Name : never
}[MessageName]
