import { afterEach, beforeEach, expect } from '@jest/globals'
import type { StripeCore } from '../../core/stripeCore.ts'

/** Opens an emulator for each test of a file, and closes it after the test, whose books must be in order. Returns the open emulator. */
export function eachTest<Opened extends { core: StripeCore; close(): Promise<void> }>(open: () => Promise<Opened>) {
  let opened: Opened | undefined
  const present = (): Opened => {
    if (opened === undefined) throw new Error('the emulator is not open yet')
    return opened
  }
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(async () => {
    expect(present().core.violations()).toEqual([])
    await present().close()
  })
  return present
}
