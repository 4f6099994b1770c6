import { afterEach, describe, expect, it } from '@jest/globals'
import { type ChildStack, spawnScript } from './support/childStack.ts'

/** `STACK_ROUNDS=5` starts them five times, as a change to the start should be measured. */
const rounds = Number(process.env.STACK_ROUNDS ?? 1)
const AT_ONCE = 8

const running: ChildStack[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((child) => child.stop()))
})

describe('Eight stacks started at once', () => {
  it.each(Array.from({ length: rounds }, (_, round) => round + 1))(
    'all start, each with ports and data of its own (round %i)',
    async () => {
      running.push(...Array.from({ length: AT_ONCE }, () => spawnScript('local/start.ts', ['--port', '0'])))
      const infos = await Promise.all(running.map((child) => child.ready()))
      expect(new Set(infos.map((info) => info.dynamodb_endpoint)).size).toBe(AT_ONCE)
    },
  )
})
