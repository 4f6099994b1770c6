import { metrics } from '../../lib/log/metrics.ts'
import { type StageSettings, stageNamed } from '../data/stages.ts'
import { manifest } from '../manifest.ts'
import { type Price, prices } from './prices.ts'

/** Something that is paid each month whether or not there are calls: how many of it, and the price of one. */
export interface Monthly {
  readonly name: string
  readonly count: number
  readonly price: Price
}

const MINUTES_A_MONTH = 30 * 24 * 60
const functions = manifest.length
const answering = manifest.filter(({ trigger }) => trigger.kind !== 'schedule').length
/**
 * Of metrics with a dimension beside service and stage, each of whose values is a metric of its own: a guess. Of `VersionFaults` these are the
 * versions that have answered 5xx; a metric is paid for the hours in which it has a value.
 */
const VALUES = 5
const ofService = Object.values(metrics).reduce(
  (sum, metric) => sum + ('dimension' in metric || 'ofVersion' in metric ? VALUES : 1),
  0,
)

/**
 * Keys of a stage: the one of customers' ids, which encrypts the secrets of authenticator apps as well; one for each generation of tokens'
 * signatures; the one of alarms on their way; and that of backups where they are made. A test counts them in the templates.
 */
export function keysOf({ tokenKeyGeneration, backupVaultArn }: StageSettings): number {
  return 1 + tokenKeyGeneration + 1 + (backupVaultArn === undefined ? 0 : 1)
}

/** Keys of production. */
export const KEYS = keysOf(stageNamed('prod'))

/** What watches production. Everything but the dimensions' values is counted by a test, in the templates. */
export const watching = {
  // An alarm on several metrics is paid for each: of every function its release's, and its share of the throttles'; of one that answers, its faults.
  alarmMetrics: {
    name: 'metrics that alarms watch',
    count: 2 * functions + answering + 34,
    price: prices.alarmMetricMonth,
  },
  serviceMetrics: { name: 'metrics of the service', count: ofService, price: prices.customMetricMonth },
  logMetrics: { name: 'metrics of the access log', count: 2, price: prices.customMetricMonth },
  mailMetrics: { name: 'metrics of mails', count: 4, price: prices.customMetricMonth },
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
