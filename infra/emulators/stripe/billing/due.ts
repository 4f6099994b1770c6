import type { Context } from '../state/context.ts'

/** Something that falls due at a time, in unix seconds. */
export interface Due {
  at: number
  run: (context: Context) => void
}
