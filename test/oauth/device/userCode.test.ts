import { randomBytes } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { digestUserCode, shownUserCode, userCodeOf } from '../../../lib/oauth/device/userCode.ts'

const secretOf = (bytes: readonly number[]) => Buffer.from(bytes).toString('base64url')

describe('A user code', () => {
  it('has eight consonants, each as likely as any other', () => {
    const counts = new Map<string, number>()
    for (let drawn = 0; drawn < 2000; drawn += 1) {
      const code = userCodeOf(randomBytes(32).toString('base64url'))
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
      for (const letter of code.replace('-', '')) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    // 800 each on average; six standard deviations are 165.
    expect(counts.size).toBe(20)
    for (const count of counts.values()) expect(Math.abs(count - 800)).toBeLessThan(165)
  })

  it('skips the bytes that would make some letters likelier', () => {
    expect(userCodeOf(secretOf([255, 240, 0, 1, 2, 3, 239, 250, 5, 6, 7, 8]))).toBe('BCDF-ZHJK')
    expect(() => userCodeOf(secretOf([255, 1]))).toThrow('too few random bytes')
  })

  it.each(['wdjb-mjht', 'WDJBMJHT', ' wdjb mjht ', 'W.D.J.B—mjht'])('is the same as it is typed: %s', (typed) => {
    expect(digestUserCode(typed)).toBe(digestUserCode('WDJB-MJHT'))
    expect(shownUserCode(typed)).toBe('WDJB-MJHT')
  })

  it.each(['wdjb-mjhz', 'wdjb-mjh', 'wdjb-mjhtt', ''])('is another one if a letter differs: %s', (typed) => {
    expect(digestUserCode(typed)).not.toBe(digestUserCode('WDJB-MJHT'))
  })
})
