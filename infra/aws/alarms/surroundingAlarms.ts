import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch'
import { Duration } from 'aws-cdk-lib/core'
import type { StageSettings } from '../../data/stages.ts'
import { vaultName } from '../constructs/stageNames.ts'
import type { AlarmRow } from './alarms.ts'
import { backupMetric, mailMetric, metricOf, sumOf } from './metrics.ts'

interface SurroundingSources {
  readonly stage: StageSettings
  readonly mailConfigurationSet: string
  /** Percent of the canary's runs that succeed; undefined if the stage has no canary. */
  readonly canary?: IMetric | undefined
}

/** Alarms of what the service depends on: its address from outside, certificates, the account's concurrency, mail, backups. */
export function surroundingAlarms({ stage, mailConfigurationSet, canary }: SurroundingSources): AlarmRow[] {
  const reserved = Object.values(stage.reservedConcurrency).reduce((sum, one) => sum + one, 0)
  return [
    ...(canary ? [notReached(canary)] : []),
    ...certificates(stage).map(certificateEnds),
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
    },
    ...(stage.backupVaultArn ? backupsFail(vaultName(stage), stage.backupVaultArn) : []),
  ]
}

/** Concurrent executions of the account in the region outside all reservations. */
const unreservedConcurrency = metricOf('AWS/Lambda', 'UnreservedConcurrentExecutions', {}, { statistic: 'Maximum' })

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
      says: 'A table was not backed up',
      metric: backupMetric('NumberOfBackupJobsFailed', vault, hour),
    },
    {
      ...row,
      id: 'BackupCopiesFail',
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
