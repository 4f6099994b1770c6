import { describe, expect, it } from '@jest/globals'
import { loadedOnce } from '../../../lib/core/loadedOnce.ts'

describe('A part that is loaded at the first use', () => {
  it('is loaded once, also for calls at once', async () => {
    let loads = 0
    const part = loadedOnce(async () => {
      loads += 1
      return loads
    })
    expect(await Promise.all([part(), part()])).toEqual([1, 1])
    expect(await part()).toBe(1)
  })

  // [catch loadedOnce.loadedOnce]
  it('is asked again after it failed, and then kept', async () => {
    let loads = 0
    const part = loadedOnce(async () => {
      loads += 1
      if (loads < 3) throw new Error('not read')
      return loads
    })
    await expect(Promise.all([part(), part()])).rejects.toThrow('not read')
    await expect(part()).rejects.toThrow('not read')
    expect(await part()).toBe(3)
    expect(await part()).toBe(3)
  })
})
