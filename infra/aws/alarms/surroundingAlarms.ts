import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch'
import { Duration } from 'aws-cdk-lib/core'
import type { StageSettings } from '../../data/stages.ts'
import { vaultName } from '../constructs/stageNames.ts'
import type { AlarmRow } from './alarmRow.ts'
import { among, backupMetric, fiveMinutes, halfOfHalfAnHour, mailMetric, metricOf, share, sumOf } from './metrics.ts'

interface SurroundingSources {
  readonly stage: StageSettings
  readonly mailConfigurationSet: string
  /** Percent of the canary's runs that succeed; undefined if the stage has no canary. */
  readonly canary?: IMetric | undefined
  /** CloudFront and the web ACL; undefined if the stage has none. */
  readonly firewall?: WatchedFirewall | undefined
}

/** A distribution and its web ACL, as CloudWatch names them. */
interface WatchedFirewall {
  readonly distributionId: string
  readonly aclMetric: string
}

/** Alarms of what the service depends on: its address from outside, certificates, the account's concurrency, mail, backups. */
export function surroundingAlarms({ stage, mailConfigurationSet, canary, firewall }: SurroundingSources): AlarmRow[] {
  const reserved = Object.values(stage.reservedConcurrency).reduce((sum, one) => sum + one, 0)
  return [
    ...(canary ? [notReached(canary)] : []),
    ...(firewall ? edgeRefuses(firewall) : []),
    ...certificates(stage).map(certificateEnds),
    {
      id: 'ConcurrencyNearQuota',
      notifies: 'page',
      heading: 'The account is short of room',
      says: 'Functions without a share of their own use 80 % of what the others leave',
      metric: unreservedConcurrency,
      threshold: Math.floor(0.8 * (stage.concurrencyQuota - reserved)),
      periods: 3,
      of: 5,
    },
    {
      id: 'MailRejected',
      notifies: 'ticket',
      heading: 'Mails are rejected',
      says: 'SES took a mail, found a virus in it, and did not send it',
      metric: mailMetric('Reject', mailConfigurationSet, 'Sum', Duration.hours(1)),
    },
    ...(stage.backupVaultArn ? backupsFail(vaultName(stage), stage.backupVaultArn) : []),
  ]
}

/** Concurrent executions of the account in the region outside all reservations. */
const unreservedConcurrency = metricOf('AWS/Lambda', 'UnreservedConcurrentExecutions', {}, { statistic: 'Maximum' })

function notReached(canary: IMetric): AlarmRow {
  return {
    id: 'NotReached',
    notifies: 'page',
    heading: 'The API is not reached from outside',
    says: 'Two calls of the canary in a row fail, or it does not run',
    metric: canary,
    threshold: 100,
    periods: 2,
    below: true,
    mustRun: true,
  }
}

/**
 * What never reaches API Gateway, whose metrics stay good. AWS counts both in us-east-1, where a stage with a firewall is (AWS WAF's developer
 * guide, Metrics and dimensions; CloudFront's, Types of metrics). Every stranger who scans the API is blocked, so a share counts, not a number.
 */
function edgeRefuses({ distributionId, aclMetric }: WatchedFirewall): AlarmRow[] {
  const ofAcl = (name: string) =>
    metricOf('AWS/WAFV2', name, { WebACL: aclMetric, Rule: 'ALL' }, { period: fiveMinutes })
  const ofDistribution = (name: string, statistic: string) =>
    metricOf(
      'AWS/CloudFront',
      name,
      { DistributionId: distributionId, Region: 'Global' },
      { statistic, period: fiveMinutes },
    )
  const rate = (id: string, name: string) =>
    among(ofDistribution('Requests', 'Sum'), id, ofDistribution(name, 'Average'))
  const row = {
    heading: 'CloudFront or the firewall refuses customers',
    notifies: 'page',
    ...halfOfHalfAnHour,
  } as const
  return [
    {
      ...row,
      id: 'FirewallBlocks',
      says: 'The firewall blocks 50 requests or more in 5 minutes, one for every two that it lets through',
      metric: share(ofAcl('BlockedRequests'), ofAcl('AllowedRequests'), { atLeast: 50, percent: 50 }),
    },
    {
      ...row,
      id: 'EdgeRefuses',
      says: 'CloudFront answers half of the requests or more 4xx',
      metric: rate('refused', '4xxErrorRate'),
      threshold: 50,
    },
    {
      ...row,
      id: 'EdgeFails',
      says: 'CloudFront answers 5 % of the requests or more 5xx',
      metric: rate('failed', '5xxErrorRate'),
      threshold: 5,
    },
  ]
}

/** AWS Backup runs once a day: the alarm stays red until a day has passed without a failure. */
function backupsFail(vault: string, copyTo: string): AlarmRow[] {
  const row = { heading: 'Backups fail', periods: 1, of: 24 }
  const hour = Duration.hours(1)
  // AWS does not say whether the source vault or the target vault counts a copy.
  const vaults = [...new Set([vault, copyTo.split(':').at(-1) ?? vault])]
  const copies = vaults.map((name) => backupMetric('NumberOfCopyJobsFailed', name, hour))
  return [
    {
      ...row,
      id: 'BackupsFail',
      notifies: 'ticket',
      says: 'A table was not backed up',
      metric: backupMetric('NumberOfBackupJobsFailed', vault, hour),
    },
    {
      ...row,
      id: 'BackupCopiesFail',
      notifies: 'ticket',
      says: 'A table’s backup was not copied to the other account',
      metric: sumOf('Copies that failed', copies, hour),
    },
  ]
}

interface Certificate {
  readonly id: string
  readonly of: string
  readonly certificateArn: string
}

/** ACM counts in the certificate's own region. The console's certificate is in us-east-1 and can be watched only if the stage is there too. */
function certificates({ domain, console, region }: StageSettings): Certificate[] {
  const ofConsole = region === 'us-east-1' ? console?.domain?.certificateArn : undefined
  const isAnother = ofConsole !== domain?.certificateArn
  return [
    ...(domain ? [{ id: 'CertificateEnds', of: 'API', certificateArn: domain.certificateArn }] : []),
    ...(ofConsole && isAnother ? [{ id: 'ConsoleCertificateEnds', of: 'console', certificateArn: ofConsole }] : []),
  ]
}

/** ACM reports the remaining days twice a day. It renews its own certificates 60 days before the end. */
function certificateEnds({ id, of, certificateArn }: Certificate): AlarmRow {
  return {
    id,
    notifies: 'ticket',
    heading: 'A certificate ends',
    says: `The certificate of the ${of}’s name ends in less than 30 days`,
    metric: metricOf(
      'AWS/CertificateManager',
      'DaysToExpiry',
      { CertificateArn: certificateArn },
      { statistic: 'Minimum', period: Duration.days(1) },
    ),
    threshold: 30,
    below: true,
  }
}
