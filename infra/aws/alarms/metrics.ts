import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { Duration } from 'aws-cdk-lib/core'
import type { MetricName, metrics } from '../../../lib/log/metrics.ts'
import type { ServiceFunction } from '../constructs/functions/ServiceFunction.ts'

const minute = Duration.minutes(1)

/** The namespace of what functions count. */
const serviceNamespace = 'ConsoleBackend'

/** The metrics that the functions emit without a dimension beside service and stage. */
type ServiceMetric = {
  [Name in MetricName]: (typeof metrics)[Name] extends { dimension: string } | { ofVersion: true } ? never : Name
}[MetricName]

/** Makes the service's own metrics of a stage: the sum of each minute unless said otherwise. */
export function serviceMetrics(stage: string) {
  return (
    metricName: ServiceMetric,
    { statistic = 'Sum', period = minute }: { statistic?: string; period?: Duration } = {},
  ): Metric => {
    const dimensionsMap = { service: 'console-backend', stage }
    return new Metric({ namespace: serviceNamespace, metricName, dimensionsMap, statistic, period })
  }
}

/** A metric that Lambda keeps of a function, over all its versions. */
export function lambdaMetric(metricName: string, functionName: string, statistic = 'Sum', period = minute): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName,
    dimensionsMap: { FunctionName: functionName },
    statistic,
    period,
  })
}

/**
 * How often the version that is being released failed, called by its alias: Lambda counts by version while an alias has two (Lambda’s
 * developer guide, Viewing metrics for functions: `Resource`, `ExecutedVersion`).
 */
export function versionErrors({ lambda, live }: ServiceFunction, minutes: number): Metric {
  const { functionName, currentVersion } = lambda
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'Errors',
    dimensionsMap: {
      FunctionName: functionName,
      Resource: `${functionName}:${live.aliasName}`,
      ExecutedVersion: currentVersion.version,
    },
    statistic: 'Sum',
    period: Duration.minutes(minutes),
  })
}

/** How often the version that is being released answered 5xx in a minute. Lambda knows of no answer that it is a fault. */
export function versionFaults({ lambda: { functionName, currentVersion } }: ServiceFunction, stage: string): Metric {
  const metricName: MetricName = 'VersionFaults'
  return new Metric({
    namespace: serviceNamespace,
    metricName,
    dimensionsMap: { service: 'console-backend', function: functionName, version: currentVersion.version, stage },
    statistic: 'Sum',
    period: minute,
  })
}

/** How often a function's URL answered 5xx. */
export function urlFaults(functionName: string, period = minute): Metric {
  return lambdaMetric('Url5xxCount', functionName, 'Sum', period)
}

/** How often the API answered 5xx. */
export function apiFaults(api: HttpApi, period = minute): Metric {
  return api.metricServerError({ statistic: 'Sum', period })
}

/** The namespace of what is counted in a stage's access log: a metric filter has no dimension but what is in the line. */
export function accessLogNamespace(stage: string): string {
  return `ConsoleBackend/AccessLog/${stage}`
}

/** How many lines of the API's access log were of calls that buy, cancel or pay, and how many of these were answered 5xx. */
export type AccessLogMetric = 'BillingCalls' | 'BillingFaults'

/** Makes the counts of lines of a stage's access log (`apiStageStack.ts`). */
export function accessLogMetrics(stage: string) {
  return (metricName: AccessLogMetric, period = minute): Metric =>
    new Metric({ namespace: accessLogNamespace(stage), metricName, statistic: 'Sum', period })
}

/** The dimension by which SES distinguishes stages. */
export const mailDimension = 'ses:configuration-set'

/** A metric that SES keeps of the mails sent through a configuration set. */
export function mailMetric(
  metricName: string,
  configurationSetName: string,
  statistic = 'Sum',
  period = minute,
): Metric {
  const dimensionsMap = { [mailDimension]: configurationSetName }
  return new Metric({ namespace: 'AWS/SES', metricName, dimensionsMap, statistic, period })
}

/** How many jobs of a kind AWS Backup has counted of a vault, of those that were for a table. */
export function backupMetric(
  metricName: 'NumberOfBackupJobsFailed' | 'NumberOfCopyJobsFailed',
  vaultName: string,
  period: Duration,
): Metric {
  const dimensionsMap = { BackupVaultName: vaultName, ResourceType: 'DynamoDB' }
  return new Metric({ namespace: 'AWS/Backup', metricName, dimensionsMap, statistic: 'Sum', period })
}

/** A table with the names of its indexes. */
export interface WatchedTable {
  readonly tableName: string
  readonly indexes: readonly string[]
}

/**
 * How often DynamoDB refused a read or a write of a table, or of one of its indexes, because of too many. What an index refuses is counted
 * under its own dimension only, though the table's write is refused with it (DynamoDB's developer guide, Metrics and dimensions).
 */
export function tableThrottles({ tableName, indexes }: WatchedTable): Metric[] {
  const parts = [{}, ...indexes.map((GlobalSecondaryIndexName) => ({ GlobalSecondaryIndexName }))]
  return parts.flatMap((part) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
      (metricName) =>
        new Metric({
          namespace: 'AWS/DynamoDB',
          metricName,
          dimensionsMap: { TableName: tableName, ...part },
          statistic: 'Sum',
          period: minute,
        }),
    ),
  )
}

/**
 * The sum of metrics, counting what was not reported as 0.
 * @throws Error for more than ten: CloudWatch refuses an alarm on so many
 */
export function sumOf(label: string, metrics: readonly IMetric[], period = minute): MathExpression {
  if (metrics.length > 10) throw new Error(`${label}: an alarm takes 10 metrics, not ${metrics.length}`)
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  const expression = Object.keys(usingMetrics)
    .map((id) => `FILL(${id}, 0)`)
    .join(' + ')
  return new MathExpression({ label, expression, usingMetrics, period })
}
