const DAY = 86_400_000

/** Landmarks are so far apart. */
const PERIOD = 8 * DAY
/** Weights are whole numbers, so that the store adds them without rounding. */
const SCALE = 1000

/** What an event weighs, seen from the landmark with this number. */
interface Weight {
  readonly landmark: number
  readonly weight: number
}

/** The weights of all that was counted, by landmark. */
export type Sums = Readonly<Record<number, number>>

/**
 * A count in which each event fades by itself, to 1/e within a day: forward decay (Cormode et al., 2009). An event weighs the more the later
 * it happens, `e^days` after a landmark, and the count is the sum of weights over the weight of one event now. So sums only grow: a store
 * counts with one conditional addition and no read, and what is subtracted later is as if it had never been counted.
 *
 * Weights outgrow every number, so that each event is added for two landmarks, 8 days apart; the older one has seen at least the last
 * 8 days, after which 0.03 % of an event is left.
 * @param now Unix milliseconds
 */
export function weightsAt(now: number): { readonly older: Weight; readonly newer: Weight } {
  const landmark = Math.floor(now / PERIOD)
  return { older: weightFrom(landmark - 1, now), newer: weightFrom(landmark, now) }
}

function weightFrom(landmark: number, now: number): Weight {
  return { landmark, weight: Math.round(SCALE * Math.exp((now - landmark * PERIOD) / DAY)) }
}

/** The room that one more event takes: a little less, for the clocks of two machines differ. */
const ONE = 0.99

/** The greatest sum, for the older landmark, at which there is room below `limit` for one more event at `now`. */
export function greatestSum(limit: number, now: number): number {
  return Math.floor((limit - ONE) * weightsAt(now).older.weight)
}

/** How many events are left of these sums at `now`. */
export function levelAt(sums: Sums, now: number): number {
  const { older } = weightsAt(now)
  return (sums[older.landmark] ?? 0) / older.weight
}

/** Seconds until there is room for one more event, at least 1. */
export function secondsUntilRoom(level: number, limit: number): number {
  return Math.max(1, Math.ceil((Math.log(level / (limit - ONE)) * DAY) / 1000))
}

/** The sums with one more event at `now`. */
export function withOneMore(sums: Sums, now: number): Sums {
  const { older, newer } = weightsAt(now)
  return plus({ [older.landmark]: older.weight, [newer.landmark]: newer.weight }, sums)
}

/** `sums` and `others` together, of the landmarks of `sums`; earlier ones have faded. */
function plus(sums: Sums, others: Sums): Sums {
  return Object.fromEntries(
    Object.entries(sums).map(([landmark, sum]) => [landmark, sum + (others[Number(landmark)] ?? 0)]),
  )
}

/** `sums` without `others`, as if those had never been counted. */
export function minus(sums: Sums, others: Sums): Sums {
  return Object.fromEntries(
    Object.entries(sums).map(([landmark, sum]) => [landmark, sum - (others[Number(landmark)] ?? 0)]),
  )
}
