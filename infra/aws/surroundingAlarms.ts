import { type IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { Duration } from 'aws-cdk-lib/core'
import type { StageSettings } from '../data/stages.ts'
import type { AlarmRow } from './alarms.ts'
import { mailMetric } from './metrics.ts'

/** Where the metrics of what is around the service come from. */
export interface SurroundingSources {
  readonly stage: Pick<StageSettings, 'domain' | 'concurrencyQuota' | 'reservedConcurrency'>
  readonly mailConfigurationSet: string
  /** Percent of the canary's runs that succeed; undefined where the stage has none. */
  readonly canary?: IMetric | undefined
}

/** Alarms of what the service needs and does not do itself: its address from outside, its certificate, the account's room, mail. */
export function surroundingAlarms({ stage, mailConfigurationSet, canary }: SurroundingSources): AlarmRow[] {
  const reserved = Object.values(stage.reservedConcurrency).reduce((sum, one) => sum + one, 0)
  return [
    ...(canary ? [notReached(canary)] : []),
    ...(stage.domain ? [certificateEnds(stage.domain.certificateArn)] : []),
    {
      id: 'ConcurrencyNearQuota',
      heading: 'The account is short of room',
      says: 'Functions without a share of their own use 80 % of what the others leave',
      metric: unreservedConcurrency,
      threshold: Math.floor(0.8 * (stage.concurrencyQuota - reserved)),
      periods: 3,
      of: 5,
    },
    {
      id: 'MailRejected',
      heading: 'Mails are rejected',
      says: 'SES took a mail, found a virus in it, and did not send it',
      metric: mailMetric('Reject', mailConfigurationSet, 'Sum', Duration.hours(1)),
      threshold: 1,
    },
  ]
}

/** Instances in use at once that no reservation holds, of the account in the region. */
const unreservedConcurrency = new Metric({
  namespace: 'AWS/Lambda',
  metricName: 'UnreservedConcurrentExecutions',
  statistic: 'Maximum',
  period: Duration.minutes(1),
})

function notReached(canary: IMetric): AlarmRow {
  return {
    id: 'NotReached',
    heading: 'The API is not reached from outside',
    says: 'Two calls of the canary in a row fail, or it does not run',
    metric: canary,
    threshold: 100,
    periods: 2,
    below: true,
    mustRun: true,
  }
}

/** ACM counts the days down twice a day, and renews 60 days before the end what it made itself. */
function certificateEnds(certificateArn: string): AlarmRow {
  return {
    id: 'CertificateEnds',
    heading: 'A certificate ends',
    says: 'The certificate of the API’s name ends in less than 30 days',
    metric: new Metric({
      namespace: 'AWS/CertificateManager',
      metricName: 'DaysToExpiry',
      dimensionsMap: { CertificateArn: certificateArn },
      statistic: 'Minimum',
      period: Duration.days(1),
    }),
    threshold: 30,
    below: true,
  }
}
