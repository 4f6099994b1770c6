import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch'
import { Duration } from 'aws-cdk-lib/core'
import type { AlarmRow, AlarmSources } from './alarmRow.ts'
import {
  accessLogMetrics,
  apiFaults,
  fiveMinutes,
  lambdaMetric,
  mailMetric,
  serviceMetrics,
  sumOf,
  tableThrottles,
  urlFaults,
} from './metrics.ts'
import { refusalAlarms } from './refusalAlarms.ts'

const hour = Duration.hours(1)

/** Stripe repeats an event after minutes, then hours, and users ask for a mail again, so two failures may be far apart. */
const twiceInThreeHours = { periods: 2, of: 36 } as const

/** The function is not invoked as often as its schedule says. */
const mustBeInvoked = { below: true, mustRun: true, stopsInMaintenance: true } as const

/** Milliseconds; the runs of every minute send what the stream does not bring. */
const streamIsLate = { threshold: 5 * 60_000, periods: 3 } as const

/** Every alarm that notifies people. */
export function alarmRows(from: AlarmSources): AlarmRow[] {
  const serviceMetric = serviceMetrics(from.stage)
  const emptyInbox = from.deadLetters.metricApproximateNumberOfMessagesVisible({
    statistic: 'Maximum',
    period: fiveMinutes,
  })
  return [
    {
      id: 'PendingTooLong',
      notifies: 'page',
      consequenceOfStripe: true,
      heading: 'A purchase is pending for an hour',
      says: 'The oldest pending purchase is older than 1 h',
      metric: serviceMetric('PendingAge', { statistic: 'Maximum', period: fiveMinutes }),
      threshold: 3600,
    },
    {
      id: 'UnknownOutcomes',
      notifies: 'page',
      consequenceOfStripe: true,
      heading: 'Outcomes of purchases are unknown',
      says: 'Of at least 5 purchases in an hour, 5 % or more have an unknown outcome',
      metric: unknownRate(serviceMetric),
      threshold: 5,
    },
    {
      id: 'WebhooksNotRecorded',
      notifies: 'page',
      heading: 'Webhooks are not recorded',
      says: 'Verified events are answered 500, twice in 3 hours',
      metric: serviceMetric('WebhooksNotRecorded', { period: fiveMinutes }),
      ...twiceInThreeHours,
    },
    {
      id: 'WebhookFaults',
      notifies: 'page',
      heading: 'The webhook answers 5xx',
      says: 'The webhook’s URL answers 5xx, twice in 3 hours',
      metric: urlFaults(from.webhook, fiveMinutes),
      ...twiceInThreeHours,
    },
    {
      id: 'OrphanedSubscriptions',
      notifies: 'ticket',
      heading: 'A subscription has no owner',
      says: 'Stripe bills a live subscription that no slot owns',
      metric: serviceMetric('OrphanedSubscriptions', { period: fiveMinutes }),
    },
    {
      id: 'SubscriptionsReported',
      notifies: 'ticket',
      heading: 'A subscription needs a decision',
      says: 'An event shows a difference from Stripe that only a person can settle',
      metric: serviceMetric('SubscriptionsReported', { period: fiveMinutes }),
    },
    {
      id: 'ApiFaults',
      notifies: 'page',
      consequenceOfStripe: true,
      heading: 'The API answers 5xx',
      says: 'The API answers 5xx, 5 times in 5 minutes',
      metric: apiFaults(from.api, fiveMinutes),
      threshold: 5,
    },
    {
      id: 'ApiFaultsRepeat',
      notifies: 'ticket',
      consequenceOfStripe: true,
      heading: 'The API answers 5xx',
      says: 'The API answers 5xx in 3 of 12 periods of 5 minutes, however few call it',
      metric: apiFaults(from.api, fiveMinutes),
      periods: 3,
      of: 12,
    },
    {
      id: 'BillingFaults',
      notifies: 'page',
      consequenceOfStripe: true,
      heading: 'A purchase is answered 5xx',
      says: 'A call that buys, cancels or pays is answered 5xx, and 1 % of these calls or more are',
      metric: billingFaults(accessLogMetrics(from.stage)),
      // Lines of the access log may arrive a period late.
      periods: 1,
      of: 3,
    },
    ...lambdaThrottles(from.apiFunctions),
    {
      id: 'LambdaThrottlesWebhook',
      notifies: 'page',
      heading: 'Functions are throttled',
      // The URL answers them 429, which `WebhookFaults` does not count (Lambda's developer guide, Creating and managing function URLs).
      says: `Lambda refuses events of Stripe, twice in 3 hours, for ${from.webhook}`,
      metric: lambdaMetric('Throttles', from.webhook, 'Sum', fiveMinutes),
      ...twiceInThreeHours,
    },
    ...throttlesOfTables(from.tables.flatMap(tableThrottles)),
    {
      id: 'KmsFailures',
      notifies: 'page',
      heading: 'KMS refuses or is unavailable',
      says: 'KMS denied a call or did not answer',
      metric: serviceMetric('KmsFailures', { period: fiveMinutes }),
    },
    {
      id: 'DriftLeft',
      notifies: 'ticket',
      heading: 'Drift is left',
      says: 'The record and Stripe differ in a way that no rule repairs',
      metric: serviceMetric('DriftLeft', { period: hour }),
    },
    {
      id: 'DeadLetters',
      notifies: 'ticket',
      heading: 'There are dead letters',
      says: 'A run of a schedule failed for good',
      metric: emptyInbox,
    },
    {
      id: 'StripeKeyRefused',
      notifies: 'page',
      ofStripe: true,
      heading: 'Stripe refuses the key',
      says: 'Stripe answers 401 to the secret key',
      metric: serviceMetric('StripeKeyRefused'),
    },
    {
      id: 'StripeNotAnswering',
      notifies: 'page',
      ofStripe: true,
      heading: 'Stripe is unavailable',
      says: 'Stripe does not answer, or answers 5xx, 3 times in 5 minutes, twice in a quarter of an hour',
      metric: serviceMetric('StripeNotAnswering', { period: fiveMinutes }),
      threshold: 3,
      periods: 2,
      of: 3,
    },
    {
      id: 'MailsNotSent',
      notifies: 'ticket',
      heading: 'Mails are not sent',
      says: 'SES does not take mails, twice in 3 hours',
      metric: serviceMetric('MailsNotSent', { period: fiveMinutes }),
      ...twiceInThreeHours,
    },
    {
      id: 'MailBounces',
      notifies: 'ticket',
      heading: 'Mails bounce',
      says: 'Of the mails sent lately, 4 % or more bounced',
      metric: mailMetric('Reputation.BounceRate', from.mailConfigurationSet, 'Maximum', hour),
      threshold: 0.04,
    },
    {
      id: 'MailComplaints',
      notifies: 'ticket',
      heading: 'People complain of mails',
      says: 'Of the mails sent lately, 0.08 % or more were complained of',
      metric: mailMetric('Reputation.ComplaintRate', from.mailConfigurationSet, 'Maximum', hour),
      threshold: 0.0008,
    },
    {
      id: 'SweepNotRunning',
      notifies: 'page',
      heading: 'The sweep does not run',
      says: 'The sweep was not invoked for 10 minutes',
      metric: lambdaMetric('Invocations', from.sweep, 'Sum', fiveMinutes),
      periods: 2,
      ...mustBeInvoked,
    },
    {
      id: 'ReconcileNotRunning',
      notifies: 'ticket',
      heading: 'The reconciliation does not run',
      says: 'The reconciliation was not invoked for an hour',
      metric: lambdaMetric('Invocations', from.reconcile, 'Sum', hour),
      ...mustBeInvoked,
    },
    {
      id: 'DeletionsNotRunning',
      notifies: 'ticket',
      heading: 'Deletions do not run',
      says: 'The daily run that reminds of deletions and erases was not invoked for 26 hours',
      // By the hour: the only run of a day may fall just outside a period of a day.
      metric: lambdaMetric('Invocations', from.erase, 'Sum', hour),
      periods: 26,
      ...mustBeInvoked,
    },
    {
      id: 'DomainsNotChecked',
      notifies: 'ticket',
      heading: 'Domains are not checked',
      says: 'The daily run that checks verified domains was not invoked for 26 hours',
      metric: lambdaMetric('Invocations', from.domains, 'Sum', hour),
      periods: 26,
      ...mustBeInvoked,
    },
    {
      id: 'RemovalsNotRunning',
      notifies: 'ticket',
      heading: 'Removals of second factors do not run',
      says: 'The run that removes lost second factors was not invoked for 10 minutes',
      metric: lambdaMetric('Invocations', from.removals, 'Sum', fiveMinutes),
      periods: 2,
      ...mustBeInvoked,
    },
    {
      id: 'MoneyMailsNotRunning',
      notifies: 'ticket',
      heading: 'Mails about money are not sent',
      says: 'The run that sends mails about purchases and payments was not invoked for 10 minutes',
      metric: lambdaMetric('Invocations', from.moneyMails, 'Sum', fiveMinutes),
      periods: 2,
      ...mustBeInvoked,
    },
    {
      id: 'RelayNotRunning',
      notifies: 'ticket',
      heading: 'Events are not sent',
      says: 'The run that numbers events and makes their deliveries was not invoked for 10 minutes',
      metric: lambdaMetric('Invocations', from.relay, 'Sum', fiveMinutes),
      periods: 2,
      ...mustBeInvoked,
    },
    {
      id: 'DeliveriesNotRunning',
      notifies: 'ticket',
      heading: 'Events are not sent',
      says: 'The run that sends events to endpoints was not invoked for 10 minutes',
      metric: lambdaMetric('Invocations', from.deliver, 'Sum', fiveMinutes),
      periods: 2,
      ...mustBeInvoked,
    },
    {
      id: 'RelayLate',
      notifies: 'ticket',
      heading: 'Events are not sent',
      says: 'Events waited for the relay’s stream for 5 minutes or more, for a quarter of an hour',
      metric: lambdaMetric('IteratorAge', from.relay, 'Maximum', fiveMinutes),
      ...streamIsLate,
    },
    {
      id: 'DeliveriesLate',
      notifies: 'ticket',
      heading: 'Events are not sent',
      says: 'Deliveries waited for their stream for 5 minutes or more, for a quarter of an hour',
      metric: lambdaMetric('IteratorAge', from.deliver, 'Maximum', fiveMinutes),
      ...streamIsLate,
    },
    {
      id: 'EventsNotRelayed',
      notifies: 'ticket',
      heading: 'Events are not sent',
      says: 'Events of an organization could not be numbered, twice in 3 hours',
      metric: serviceMetric('EventsNotRelayed', { period: fiveMinutes }),
      ...twiceInThreeHours,
    },
    {
      id: 'ReconciliationAge',
      notifies: 'ticket',
      heading: 'The reconciliation does not end',
      says: 'The last complete reconciliation began more than 26 h ago',
      metric: serviceMetric('ReconciliationAge', { statistic: 'Maximum', period: hour }),
      threshold: 26 * 3600,
    },
    ...refusalAlarms(from),
  ]
}

/** An alarm for every ten functions: CloudWatch adds up ten metrics at most. */
function lambdaThrottles(functions: readonly string[]): AlarmRow[] {
  return inTens(functions).map((group, index) => ({
    id: `LambdaThrottles${index + 1}`,
    notifies: 'page',
    heading: 'Functions are throttled',
    says: `Lambda refuses calls, in 3 of 5 minutes, of any of ${group.join(', ')}`,
    metric: sumOf(
      'Refused calls',
      group.map((name) => lambdaMetric('Throttles', name)),
    ),
    periods: 3,
    of: 5,
  }))
}

function throttlesOfTables(metrics: readonly IMetric[]): AlarmRow[] {
  return inTens(metrics).map((group, index) => ({
    id: `TableThrottles${index + 1}`,
    notifies: 'page',
    heading: 'Tables are throttled',
    says: 'DynamoDB refuses reads or writes of a table or an index, in 3 of 5 minutes',
    metric: sumOf('Refused reads and writes', group),
    periods: 3,
    of: 5,
  }))
}

/** An alarm takes ten metrics. */
function inTens<Each>(all: readonly Each[]): Each[][] {
  return Array.from({ length: Math.ceil(all.length / 10) }, (_, n) => all.slice(10 * n, 10 * n + 10))
}

/** Faults of the billing calls if they are 1 % of the calls or more, else 0. The first fault of a quiet day counts, a single fault in a million calls does not. */
function billingFaults(accessLogMetric: ReturnType<typeof accessLogMetrics>): MathExpression {
  const usingMetrics = {
    calls: accessLogMetric('BillingCalls', fiveMinutes),
    faults: accessLogMetric('BillingFaults', fiveMinutes),
  }
  const expression = 'IF(100 * faults >= calls, faults, 0)'
  return new MathExpression({ label: 'Faults', expression, usingMetrics, period: fiveMinutes })
}

/** Percent of an hour's purchases whose outcome is unknown; 0 if there were fewer than 5 purchases. */
function unknownRate(serviceMetric: ReturnType<typeof serviceMetrics>): MathExpression {
  const usingMetrics = {
    bought: serviceMetric('LinesBought', { period: hour }),
    unknown: serviceMetric('PurchasesUnknown', { period: hour }),
  }
  const all = '(FILL(bought, 0) + FILL(unknown, 0))'
  const expression = `IF(${all} >= 5, 100 * FILL(unknown, 0) / ${all}, 0)`
  return new MathExpression({ label: 'Unknown, percent', expression, usingMetrics, period: hour })
}
