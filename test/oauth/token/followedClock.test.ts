import { createServer } from 'node:http'
import { afterAll, describe, expect, it } from '@jest/globals'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { createFollowedClock } from '../../../lib/adapters/clock/followedClock.ts'
import { CommonError } from '../../../lib/core/errors.ts'

let answer = ''
let status = 200
const { url, close } = await listenOnLoopback(createServer((_, response) => response.writeHead(status).end(answer)))
afterAll(close)

describe('A followed clock', () => {
  it('returns the other clock’s time from one sync to the next, and runs on in between', async () => {
    const clock = createFollowedClock(url)
    answer = JSON.stringify({ now: 2_000_000_000 })
    await clock.sync()
    expect(clock.now()).toBeGreaterThanOrEqual(2_000_000_000_000)
    expect(clock.now()).toBeLessThan(2_000_000_010_000)
    answer = JSON.stringify({ now: 1_000_000_000 })
    expect(clock.now()).toBeGreaterThanOrEqual(2_000_000_000_000)
    await clock.sync()
    expect(clock.now()).toBeLessThan(1_000_000_010_000)
  })

  it('never goes back within the second that the other clock shows', async () => {
    const clock = createFollowedClock(url)
    answer = JSON.stringify({ now: Math.floor(Date.now() / 1000) + 1000 })
    await clock.sync()
    const before = clock.now()
    await clock.sync()
    expect(clock.now()).toBeGreaterThanOrEqual(before)
  })

  it.each([
    ['nonsense', 200, 'nonsense'],
    ['no time', 200, '{}'],
    ['an error', 500, '{"now":1}'],
  ])('throws service_unavailable where the other clock answers %s', async (_, code, body) => {
    ;[status, answer] = [code, body]
    await expect(createFollowedClock(url).sync()).rejects.toThrow(CommonError)
  })

  // [catch followedClock.sync]
  it('throws service_unavailable where the other clock does not answer', async () => {
    await expect(createFollowedClock('http://127.0.0.1:9').sync()).rejects.toMatchObject({
      code: 'service_unavailable',
    })
  })
})
