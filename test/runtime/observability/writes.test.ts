import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import type { Logger } from '../../../lib/log/logger.ts'

let logger: Logger
const before = { METRICS: process.env.METRICS, LOG_LEVEL: process.env.LOG_LEVEL }

beforeAll(async () => {
  delete process.env.METRICS
  process.env.LOG_LEVEL = 'INFO'
  logger = (await import('../../../lib/runtime/logger.ts')).logger
})

afterAll(() => {
  if (before.METRICS !== undefined) process.env.METRICS = before.METRICS
  if (before.LOG_LEVEL === undefined) delete process.env.LOG_LEVEL
  else process.env.LOG_LEVEL = before.LOG_LEVEL
})

/** How many lines each write to a stream has. */
function writesOf(log: () => void): { stdout: number[]; stderr: number[] } {
  const writes = { stdout: [0].slice(1), stderr: [0].slice(1) }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((chunk) => {
      const text = String(chunk)
      expect(text).toMatch(/\}\n$/)
      return writes[stream].push(text.split('\n').length - 1) > 0
    }),
  )
  try {
    log()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return writes
}

describe('The log', () => {
  it('writes a message and what it counts at once', () => {
    expect(writesOf(() => logger.info('Event received', { kind: 'other', lagSeconds: 1 }))).toEqual({
      stdout: [2],
      stderr: [],
    })
    expect(writesOf(() => logger.info('Lines refused', { reason: 'coupon_invalid', lines: 1 })).stdout).toEqual([3])
  })

  it('writes to a stream only what it has to say there', () => {
    expect(writesOf(() => logger.info('Session ended', {}))).toEqual({ stdout: [1], stderr: [] })
    expect(writesOf(() => logger.warn('Rate limit exceeded', {}))).toEqual({ stdout: [1], stderr: [1] })
    expect(writesOf(() => logger.error('Mail not sent', {}))).toEqual({ stdout: [], stderr: [1] })
  })
})
