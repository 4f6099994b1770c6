const HOUR = 60
const DAY = 24 * HOUR

/** A duration in the largest unit that divides it: `90 minutes`, `1 hour`, `7 days`. */
export function formatDuration(minutes: number): string {
  if (minutes % DAY === 0) return inUnit(minutes / DAY, 'day')
  return minutes % HOUR === 0 ? inUnit(minutes / HOUR, 'hour') : inUnit(minutes, 'minute')
}

function inUnit(value: number, unit: 'day' | 'hour' | 'minute'): string {
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}
