import { Duration } from 'aws-cdk-lib/core'
import type { AlarmRow, AlarmSources } from './alarmRow.ts'
import {
  accessLogMetrics,
  among,
  fiveMinutes,
  halfOfHalfAnHour,
  lambdaMetric,
  serviceMetrics,
  share,
  without,
} from './metrics.ts'

const tenMinutes = Duration.minutes(10)
const quarterHour = Duration.minutes(15)

/**
 * Alarms on what the service refuses, or does not hear. Nothing fails then, so no count of faults shows it: a wrong secret, a wrong key or a
 * rule that is too strict answers every caller 4xx.
 */
export function refusalAlarms(from: AlarmSources): AlarmRow[] {
  const serviceMetric = serviceMetrics(from.stage)
  const accessLogMetric = accessLogMetrics(from.stage)
  const events = (period: Duration) => serviceMetric('WebhookLag', { statistic: 'SampleCount', period })
  const calls = from.api.metricCount({ statistic: 'Sum', period: fiveMinutes })
  return [
    {
      id: 'WebhookSecretWrong',
      notifies: 'page',
      heading: 'Every webhook is refused as forged',
      says: 'Of at least 3 events in 15 minutes, none has a valid signature',
      metric: without(serviceMetric('WebhooksForged', { period: quarterHour }), events(quarterHour)),
      threshold: 3,
    },
    {
      id: 'NoEvents',
      notifies: 'page',
      heading: 'Stripe sends no events',
      says: 'There were purchases in 2 periods of 15 minutes within 2 hours, and no event',
      metric: without(serviceMetric('LinesBought', { period: quarterHour }), events(quarterHour)),
      periods: 2,
      of: 8,
    },
    {
      id: 'EventsLate',
      notifies: 'ticket',
      heading: 'Stripe’s events are late',
      says: 'Half of the events are an hour old or older when they arrive',
      metric: serviceMetric('WebhookLag', { statistic: 'p50', period: fiveMinutes }),
      threshold: 3600,
      ...halfOfHalfAnHour,
    },
    {
      id: 'EventsMissed',
      notifies: 'ticket',
      heading: 'The reconciliation repaired something',
      says: 'The daily reconciliation found a difference from Stripe, so an event was missed',
      metric: serviceMetric('Drift', { period: Duration.hours(1) }),
    },
    {
      id: 'EveryTokenRefused',
      notifies: 'page',
      heading: 'Every token is refused',
      says: 'A third of all calls or more, and at least 20 in 5 minutes, are answered 401',
      metric: share(accessLogMetric('Unauthorized', fiveMinutes), calls, { atLeast: 20, percent: 33 }),
      ...halfOfHalfAnHour,
    },
    {
      id: 'EveryClientRefused',
      notifies: 'page',
      heading: 'Every client is refused a token',
      says: 'Of the token requests, 90 % or more, and at least 10 in 5 minutes, are refused',
      metric: share(accessLogMetric('TokenRefusals', fiveMinutes), accessLogMetric('TokenCalls', fiveMinutes), {
        atLeast: 10,
        percent: 90,
      }),
      ...halfOfHalfAnHour,
    },
    {
      id: 'EveryLineRefused',
      notifies: 'page',
      consequenceOfStripe: true,
      heading: 'Every line of every cart is refused',
      says: 'Nothing is bought for half an hour, and 3 lines or more are refused in each 10 minutes of it',
      metric: without(
        serviceMetric('LinesRefused', { period: tenMinutes }),
        serviceMetric('LinesBought', { period: tenMinutes }),
      ),
      threshold: 3,
      periods: 3,
    },
    {
      id: 'StageThrottled',
      notifies: 'page',
      heading: 'The API’s throttle is used up',
      says: 'API Gateway refuses 100 calls or more in 5 minutes, before any function sees them',
      metric: accessLogMetric('Throttled', fiveMinutes),
      threshold: 100,
      periods: 2,
      of: 6,
    },
    {
      id: 'AnswersSlow',
      notifies: 'page',
      heading: 'Answers are slow',
      says: 'Half of the answers take 5 seconds or more',
      metric: among(calls, 'latency', from.api.metricLatency({ statistic: 'p50', period: fiveMinutes })),
      threshold: 5000,
      ...halfOfHalfAnHour,
    },
    {
      id: 'SignInSlow',
      notifies: 'ticket',
      heading: 'Sign-in is slow',
      says: 'One sign-in of twenty takes 3 seconds or more',
      metric: among(
        lambdaMetric('Invocations', from.signIn, 'Sum', fiveMinutes),
        'duration',
        lambdaMetric('Duration', from.signIn, 'p95', fiveMinutes),
      ),
      threshold: 3000,
      ...halfOfHalfAnHour,
    },
  ]
}
