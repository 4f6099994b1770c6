import { runInNewContext } from 'node:vm'
import * as z from 'zod'
import { isMetricLine } from '../../../runtime/observability/outputLines.ts'
import type { accessLogFiltersOf, ReadMetric, SynthesizedAlarm } from './alarmTemplates.ts'

const emf = z.looseObject({
  _aws: z.object({
    CloudWatchMetrics: z.tuple([
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.tuple([z.object({ Name: z.string() })]),
      }),
    ]),
  }),
})

/** An answer of the API, as API Gateway saw it. */
export interface Answered {
  /** Such as `GET /api/users/me`. */
  readonly routeKey: string
  readonly status: number
  /** Milliseconds. */
  readonly latency?: number
  /** Answered by API Gateway itself: no function was asked. */
  readonly byGateway?: true
}

interface Series {
  readonly dimensions: Readonly<Record<string, string>>
  /** Values by minute. */
  readonly values: Map<number, number[]>
}

const noValue = Number.NaN

/**
 * CloudWatch, as far as the alarms use it: it keeps what was reported by the minute, computes statistics and metric math, and evaluates alarms
 * over sliding windows (CloudWatch's user guide, Alarm evaluation window; Using math expressions). Stages are not told apart.
 */
export class CloudWatch {
  readonly #series = new Map<string, Series[]>()
  readonly #filters: ReturnType<typeof accessLogFiltersOf>

  constructor(filters: ReturnType<typeof accessLogFiltersOf>) {
    this.#filters = filters
  }

  /** A value of a metric. A dimension that the template only refers to, such as an API's id, has the value `*`. */
  report(
    minute: number,
    namespace: string,
    name: string,
    dimensions: Readonly<Record<string, string>>,
    ...reported: number[]
  ): void {
    const key = `${namespace} ${name}`
    const all = this.#series.get(key) ?? []
    this.#series.set(key, all)
    const same = JSON.stringify(dimensions)
    const known = all.find((one) => JSON.stringify(one.dimensions) === same)
    const series = known ?? { dimensions, values: new Map() }
    if (known === undefined) all.push(series)
    series.values.set(minute, [...(series.values.get(minute) ?? []), ...reported])
  }

  /** The metrics in lines that a function printed. */
  reportLines(minute: number, lines: readonly string[]): void {
    for (const line of lines.filter(isMetricLine)) {
      const { _aws, ...members } = emf.parse(JSON.parse(line))
      const [{ Namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics
      const [{ Name }] = Metrics
      for (const names of Dimensions) {
        const dimensions = Object.fromEntries(names.map((name) => [name, String(members[name])]))
        this.report(minute, Namespace, Name, dimensions, z.number().parse(members[Name]))
      }
    }
  }

  /** What API Gateway counts of an answer, and what the filters count of its line in the access log. */
  reportAnswer(minute: number, { routeKey, status, latency = 100, byGateway }: Answered): void {
    const ofApi = (name: string, value: number) => this.report(minute, 'AWS/ApiGateway', name, { ApiId: '*' }, value)
    ofApi('Count', 1)
    ofApi('Latency', latency)
    ofApi('4xx', status >= 400 && status < 500 ? 1 : 0)
    ofApi('5xx', status >= 500 ? 1 : 0)
    const line = { routeKey, status: `${status}`, integrationStatus: byGateway ? '-' : '200' }
    for (const { metric, namespace, otherwise, matches } of this.#filters) {
      const value = matches(line) ? 1 : otherwise
      if (value !== undefined) this.report(minute, namespace, metric, {}, value)
    }
  }

  /**
   * The first minute at which an alarm is red.
   * @param span the first and the last minute to evaluate, and how many minutes lie between two evaluations
   */
  firstRed(
    alarm: SynthesizedAlarm,
    { from = 1, until, step = 1 }: { from?: number; until: number; step?: number },
  ): number | undefined {
    const { datapoints, periods, missingBreaches, metrics } = alarm
    const period = Math.max(...Object.values(metrics).map((metric) => metric.period)) / 60
    const value = this.#valueOf(alarm)
    const known = new Map<number, boolean>()
    const breaches = (end: number) => {
      if (end <= 0) return false
      const before = known.get(end)
      if (before !== undefined) return before
      const computed = value(end)
      const breached = Number.isNaN(computed)
        ? missingBreaches
        : alarm.below
          ? computed < alarm.threshold
          : computed >= alarm.threshold
      known.set(end, breached)
      return breached
    }
    for (let now = from; now <= until; now += step) {
      let red = 0
      for (let back = 0; back < periods; back++) if (breaches(now - back * period)) red++
      if (red >= datapoints) return now
    }
    return undefined
  }

  /** The alarm's value in the period that ends with a minute. */
  #valueOf({ metrics, expression }: SynthesizedAlarm): (end: number) => number {
    const read = Object.entries(metrics).map(([id, metric]) => [id, this.#reader(metric)] as const)
    const code = expression.replaceAll(' AND ', ' && ').replaceAll(' OR ', ' || ')
    const compute: unknown = runInNewContext(
      `(values, FILL, IF) => { const { ${Object.keys(metrics).join(', ')} } = values; return ${code} }`,
    )
    if (typeof compute !== 'function') throw new Error(`Not read: ${expression}`)
    return (end) => Number(compute(Object.fromEntries(read.map(([id, at]) => [id, at(end)])), fill, choose))
  }

  #reader({ namespace, name, dimensions, period, statistic }: ReadMetric): (end: number) => number {
    const series = (this.#series.get(`${namespace} ${name}`) ?? []).filter((one) => isOf(one.dimensions, dimensions))
    const compute = statistics[statistic] ?? percentile(statistic)
    return (end) => {
      const values: number[] = []
      for (const one of series)
        for (let minute = end - period / 60 + 1; minute <= end; minute++) values.push(...(one.values.get(minute) ?? []))
      return values.length === 0 ? noValue : compute(values)
    }
  }
}

/** Whether a series has just these dimensions, the stage aside. */
function isOf(series: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>>): boolean {
  const names = (dimensions: object) =>
    Object.keys(dimensions)
      .filter((name) => name !== 'stage')
      .toSorted()
  return (
    names(series).join() === names(wanted).join() &&
    names(wanted).every((name) => series[name] === '*' || series[name] === wanted[name])
  )
}

const fill = (value: number, otherwise: number) => (Number.isNaN(value) ? otherwise : value)
/** A condition over a missing value is false for JavaScript, and missing for CloudWatch: for these alarms both are quiet. */
const choose = (condition: boolean, yes: number, no: number) => (condition ? yes : no)

const statistics: Readonly<Record<string, (values: readonly number[]) => number>> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  SampleCount: (values) => values.length,
  Average: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  Minimum: (values) => values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
  Maximum: (values) => values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
}

function percentile(statistic: string): (values: readonly number[]) => number {
  const [, percent] = /^p(\d+)$/.exec(statistic) ?? []
  if (percent === undefined) throw new Error(`No statistic ${statistic}`)
  return (values) => values.toSorted((a, b) => a - b)[Math.ceil((values.length * Number(percent)) / 100) - 1] ?? noValue
}
