import type { StripeCore } from 'stripe-emulator'
import type { Clock } from '../../lib/core/clock.ts'

/** The clock of the emulator in this process, read without a request: it answers however busy the machine is. */
export function emulatorClock(core: Pick<StripeCore, 'now'>): Clock {
  return {
    now() {
      const own = Date.now()
      return own + (core.now() - Math.floor(own / 1000)) * 1000
    },
    sync: async () => {},
  }
}
