import type { Clock } from '../../../lib/core/clock.ts'
import type { Ids } from '../../../lib/core/ids.ts'

/** A clock that moves only when it is advanced. Unix milliseconds. */
export interface VirtualClock extends Clock {
  advance(milliseconds: number): void
}

export function createVirtualClock(start: number): VirtualClock {
  let now = start
  return {
    now: () => now,
    sync: async () => {},
    advance(milliseconds) {
      now += milliseconds
    },
  }
}

/** Uniform in [0, 1), the same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** `Ids` drawn from a seeded chance. */
export function createSeededIds(random: () => number): Ids {
  const hex = (digits: number) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('')
  return {
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
    secret: () => Buffer.from(hex(64), 'hex').toString('base64url'),
  }
}
