import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2'
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { Duration } from 'aws-cdk-lib/core'
import type { MetricName, metrics } from '../../../lib/log/metrics.ts'
import type { ServiceFunction } from '../constructs/functions/ServiceFunction.ts'

const minute = Duration.minutes(1)
export const fiveMinutes = Duration.minutes(5)

/** Half an hour in which half of the periods of five minutes are bad: a burst in a single period does not ring. */
export const halfOfHalfAnHour = { periods: 3, of: 6 } as const

/** The namespace of the metrics that functions print. */
const serviceNamespace = 'ConsoleBackend'

/** The metrics that functions emit with no dimension other than service and stage, or so as well. */
type ServiceMetric = {
  [Name in MetricName]: (typeof metrics)[Name] extends { total: true }
    ? Name
    : (typeof metrics)[Name] extends { dimension: string } | { ofVersion: true }
      ? never
      : Name
}[MetricName]

/** How a metric is read: by default its sum per minute. */
interface Reading {
  readonly statistic?: string
  readonly period?: Duration
}

/** A metric by its namespace, name and dimensions. */
export function metricOf(
  namespace: string,
  metricName: string,
  dimensionsMap: Readonly<Record<string, string>>,
  { statistic = 'Sum', period = minute }: Reading = {},
): Metric {
  return new Metric({ namespace, metricName, dimensionsMap, statistic, period })
}

/** Makes the service's own metrics of a stage. By default they are sums per minute. */
export function serviceMetrics(stage: string) {
  return (metricName: ServiceMetric, reading?: Reading): Metric =>
    metricOf(serviceNamespace, metricName, { service: 'console-backend', stage }, reading)
}

/** Lambda's own metric of a function, over all its versions. */
export function lambdaMetric(metricName: string, functionName: string, statistic = 'Sum', period = minute): Metric {
  return metricOf('AWS/Lambda', metricName, { FunctionName: functionName }, { statistic, period })
}

/**
 * How often the new version failed when called by its alias. Lambda counts by version while an alias has two versions (Lambda’s developer
 * guide, Viewing metrics for functions: `Resource`, `ExecutedVersion`).
 */
export function versionErrors({ lambda, live }: ServiceFunction, minutes: number): Metric {
  const { functionName, currentVersion } = lambda
  const dimensions = {
    FunctionName: functionName,
    Resource: `${functionName}:${live.aliasName}`,
    ExecutedVersion: currentVersion.version,
  }
  return metricOf('AWS/Lambda', 'Errors', dimensions, { period: Duration.minutes(minutes) })
}

/** How often the new version answered 5xx in a minute. Our functions count it: Lambda does not look at answers. */
export function versionFaults({ lambda: { functionName, currentVersion } }: ServiceFunction, stage: string): Metric {
  const metricName: MetricName = 'VersionFaults'
  const { version } = currentVersion
  return metricOf(serviceNamespace, metricName, { service: 'console-backend', function: functionName, version, stage })
}

/** How often a function's URL answered 5xx. */
export function urlFaults(functionName: string, period = minute): Metric {
  return lambdaMetric('Url5xxCount', functionName, 'Sum', period)
}

/** How often the API answered 5xx. */
export function apiFaults(api: HttpApi, period = minute): Metric {
  return api.metricServerError({ statistic: 'Sum', period })
}

/** The namespace of the counts of a stage's access log. It names the stage, because a metric filter takes dimensions only from the line. */
export function accessLogNamespace(stage: string): string {
  return `ConsoleBackend/AccessLog/${stage}`
}

const billingCall = '$.routeKey = "POST /api/billing/*"'
const tokenCall = '$.routeKey = "POST /api/oauth/token"'

/** What a stage counts in its access log: filter patterns of CloudWatch Logs, whose fields are those of `consoleStacks.ts`. */
export const accessLogCounts = {
  /** Calls that buy, cancel or pay. */
  BillingCalls: `{ ${billingCall} }`,
  BillingFaults: `{ ${billingCall} && $.status = "5*" }`,
  TokenCalls: `{ ${tokenCall} }`,
  TokenRefusals: `{ ${tokenCall} && $.status = "4*" }`,
  Unauthorized: `{ ${tokenCall.replace('=', '!=')} && $.status = "401" }`,
  /** Refused by API Gateway, so no integration has a status. Functions answer 429 too, for a caller's own limit. */
  Throttled: '{ $.status = "429" && $.integrationStatus = "-" }',
} as const

export type AccessLogMetric = keyof typeof accessLogCounts

/** Makes the counts of lines of a stage's access log (`consoleStacks.ts`). */
export function accessLogMetrics(stage: string) {
  return (metricName: AccessLogMetric, period = minute): Metric =>
    metricOf(accessLogNamespace(stage), metricName, {}, { period })
}

/** The dimension by which SES distinguishes stages. */
export const mailDimension = 'ses:configuration-set'

/** SES's own metric of the mails sent through a configuration set. */
export function mailMetric(
  metricName: string,
  configurationSetName: string,
  statistic = 'Sum',
  period = minute,
): Metric {
  return metricOf('AWS/SES', metricName, { [mailDimension]: configurationSetName }, { statistic, period })
}

/** How many jobs for tables AWS Backup has counted for a vault. */
export function backupMetric(
  metricName: 'NumberOfBackupJobsFailed' | 'NumberOfCopyJobsFailed',
  vaultName: string,
  period: Duration,
): Metric {
  return metricOf('AWS/Backup', metricName, { BackupVaultName: vaultName, ResourceType: 'DynamoDB' }, { period })
}

/** A table with the names of its indexes. */
export interface WatchedTable {
  readonly tableName: string
  readonly indexes: readonly string[]
}

/**
 * How often DynamoDB throttled reads or writes of a table or its indexes. When an index refuses a write, the table's write fails too, but
 * DynamoDB counts it under the index only (DynamoDB's developer guide, Metrics and dimensions).
 */
export function tableThrottles({ tableName, indexes }: WatchedTable): Metric[] {
  const parts = [{}, ...indexes.map((GlobalSecondaryIndexName) => ({ GlobalSecondaryIndexName }))]
  return parts.flatMap((part) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((metricName) =>
      metricOf('AWS/DynamoDB', metricName, { TableName: tableName, ...part }),
    ),
  )
}

/**
 * The sum of metrics, with 0 for a metric that was not reported.
 * @throws Error if there are more than ten: CloudWatch refuses an alarm on so many
 */
export function sumOf(label: string, metrics: readonly IMetric[], period = minute): MathExpression {
  if (metrics.length > 10) throw new Error(`${label}: an alarm takes 10 metrics, not ${metrics.length}`)
  const usingMetrics = Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric]))
  const expression = Object.keys(usingMetrics)
    .map((id) => `FILL(${id}, 0)`)
    .join(' + ')
  return new MathExpression({ label, expression, usingMetrics, period })
}

/** `part` if it is a share of `whole` worth a look, else 0. No value while `part` has none. */
export function share(
  part: IMetric,
  whole: IMetric,
  { atLeast, percent }: { atLeast: number; percent: number },
): MathExpression {
  const expression = `IF(part >= ${atLeast} AND 100 * part >= ${percent} * FILL(whole, 0), part, 0)`
  return expressionOf('Share', expression, { part, whole })
}

/** `seen` in a period without `missing`, else 0. */
export function without(seen: IMetric, missing: IMetric): MathExpression {
  return expressionOf('Alone', 'IF(FILL(missing, 0) == 0, seen, 0)', { seen, missing })
}

/**
 * A measurement in a period with at least ten calls, else 0: a quiet night has few, and one slow call is no incident.
 * @param name of the measurement: a graph wants a name for each of its metrics
 */
export function among(calls: IMetric, name: string, measured: IMetric): MathExpression {
  return expressionOf('Measured', `IF(calls >= 10, ${name}, 0)`, { calls, [name]: measured })
}

/** An expression over metrics of the same period. */
function expressionOf(label: string, expression: string, usingMetrics: Readonly<Record<string, IMetric>>) {
  const periods = Object.values(usingMetrics).flatMap((metric) => metric.toMetricConfig().metricStat?.period ?? [])
  return new MathExpression({ label, expression, usingMetrics, period: periods[0] ?? minute })
}
