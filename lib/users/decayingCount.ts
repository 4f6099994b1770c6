const DAY = 86_400_000

/** The time between two landmarks. */
const PERIOD = 8 * DAY
/** Weights are integers, so the store adds them without rounding. */
const SCALE = 1000

/** The weight of an event relative to the landmark with this number. */
interface Weight {
  readonly landmark: number
  readonly weight: number
}

/** The total weight of all counted events, by landmark. */
export type Sums = Readonly<Record<number, number>>

/**
 * A count in which each event decays to 1/e within a day: forward decay (Cormode et al., 2009). The weight of an event grows with time,
 * `e^days` after a landmark; the count is the sum of weights divided by the weight of an event now. Since sums only grow, a store counts
 * with a single conditional addition and no read. After a subtraction the event has left no trace.
 *
 * Weights grow without limit, so each event is added for two landmarks, 8 days apart. The older landmark has seen at least the last 8 days;
 * after that time 0.03 % of an event is left.
 * @param now Unix milliseconds
 */
export function weightsAt(now: number): { readonly older: Weight; readonly newer: Weight } {
  const landmark = Math.floor(now / PERIOD)
  return { older: weightFrom(landmark - 1, now), newer: weightFrom(landmark, now) }
}

function weightFrom(landmark: number, now: number): Weight {
  return { landmark, weight: Math.round(SCALE * Math.exp((now - landmark * PERIOD) / DAY)) }
}

/** The room that another event needs: slightly less than 1, because the clocks of two machines differ. */
const ONE = 0.99

/** The greatest sum, for the older landmark, that leaves room below `limit` for another event at `now`. */
export function greatestSum(limit: number, now: number): number {
  return Math.floor((limit - ONE) * weightsAt(now).older.weight)
}

/** How many events of these sums are left at `now`. */
export function levelAt(sums: Sums, now: number): number {
  const { older } = weightsAt(now)
  return (sums[older.landmark] ?? 0) / older.weight
}

/** Seconds until there is room for another event, at least 1. */
export function secondsUntilRoom(level: number, limit: number): number {
  return Math.max(1, Math.ceil((Math.log(level / (limit - ONE)) * DAY) / 1000))
}

/** Returns the sums with another event at `now`. */
export function withOneMore(sums: Sums, now: number): Sums {
  const { older, newer } = weightsAt(now)
  return plus({ [older.landmark]: older.weight, [newer.landmark]: newer.weight }, sums)
}

/** Adds `others` to `sums` for the landmarks of `sums`; earlier landmarks have faded. */
function plus(sums: Sums, others: Sums): Sums {
  return Object.fromEntries(
    Object.entries(sums).map(([landmark, sum]) => [landmark, sum + (others[Number(landmark)] ?? 0)]),
  )
}

/** Subtracts `others` from `sums`, as if they had never been counted. */
export function minus(sums: Sums, others: Sums): Sums {
  return Object.fromEntries(
    Object.entries(sums).map(([landmark, sum]) => [landmark, sum - (others[Number(landmark)] ?? 0)]),
  )
}
