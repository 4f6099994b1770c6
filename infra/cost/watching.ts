import { metrics } from '../../lib/log/metrics.ts'
import { type StageSettings, stageNamed } from '../data/stages.ts'
import { manifest } from '../manifest.ts'
import { type Price, prices } from './prices.ts'

/** A monthly cost even if there are no calls: the number of units, and the price per unit. */
export interface Monthly {
  readonly name: string
  readonly count: number
  readonly price: Price
}

const MINUTES_A_MONTH = 30 * 24 * 60
const functions = manifest.length
const answering = manifest.filter(({ trigger }) => trigger.kind !== 'schedule').length
/**
 * A guess: the values of dimensions other than service and stage, each of which is a separate metric. For `VersionFaults` these are the versions
 * that have answered 5xx. A metric is charged for the hours when it has a value.
 */
const VALUES = 5
const ofService = Object.values(metrics).reduce(
  (sum, metric) => sum + ('dimension' in metric || 'ofVersion' in metric ? VALUES : 1) + ('total' in metric ? 1 : 0),
  0,
)

/**
 * Keys of a stage: a key for customers' ids and the secrets of authenticator apps, a key per generation of token signatures, a key for alarms in
 * transit, and a key for backups if the stage makes them. A test counts them in the templates.
 */
export function keysOf({ tokenKeyGeneration, backupVaultArn }: StageSettings): number {
  return 1 + tokenKeyGeneration + 1 + (backupVaultArn === undefined ? 0 : 1)
}

/** Keys of production. */
export const KEYS = keysOf(stageNamed('prod'))

/** The cost of watching production. A test counts everything in the templates, except the values of dimensions. */
export const watching = {
  // If an alarm has several metrics, each is charged. Per function: the alarm of its release. If it answers callers, its share of the throttle alarms
  // and its faults too.
  alarmMetrics: {
    name: 'metrics that alarms watch',
    count: functions + 2 * answering + 67,
    price: prices.alarmMetricMonth,
  },
  // `StripeUnavailable`, and one around each of its consequences.
  compositeAlarms: { name: 'composite alarms', count: 7, price: prices.compositeAlarmMonth },
  serviceMetrics: { name: 'metrics of the service', count: ofService, price: prices.customMetricMonth },
  logMetrics: { name: 'metrics of the access log', count: 6, price: prices.customMetricMonth },
  mailMetrics: { name: 'metrics of mails', count: 4, price: prices.customMetricMonth },
  // Of four tables and three indexes: a rule for the partition key, and another if there is a sort key.
  insightRules: { name: 'rules that find throttled keys', count: 13, price: prices.insightRuleMonth },
  dashboards: { name: 'dashboards', count: 1, price: prices.dashboardMonth },
  canaryRuns: {
    name: 'runs of the canary',
    count: MINUTES_A_MONTH / (stageNamed('prod').canaryMinutes ?? Number.POSITIVE_INFINITY),
    price: prices.canaryRun,
  },
} as const satisfies Readonly<Record<string, Monthly>>

/** Dollars a month. */
export function dollarsOfMonth({ count, price }: Monthly): number {
  return count * price.dollars
}
