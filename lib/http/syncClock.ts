import type { MiddlewareObj } from '@middy/core'
import type { Clock } from '../core/clock.ts'
import type { HttpEvent, HttpResult } from './contract.ts'

/** Middleware: asks the clock for the time once, before anything is judged by it. */
export function syncClock(clock: Clock): MiddlewareObj<HttpEvent, HttpResult> {
  return {
    async before() {
      await clock.sync()
    },
  }
}
