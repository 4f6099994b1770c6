const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long after it the operation is repeated, in milliseconds. */
export const gaps = {
  '+1 s': SECOND,
  '+1 min': MINUTE,
  '+1 h': HOUR,
  '+19 h 59': 20 * HOUR - MINUTE,
  '+20 h': 20 * HOUR,
  '+25 h': 25 * HOUR,
  '+30 d': 720 * HOUR,
} as const
export type Gap = keyof typeof gaps
export const gapNames = [
  '+1 s',
  '+1 min',
  '+1 h',
  '+19 h 59',
  '+20 h',
  '+25 h',
  '+30 d',
] as const satisfies readonly Gap[]
