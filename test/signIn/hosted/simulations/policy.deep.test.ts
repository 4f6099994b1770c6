import { describe, expect, it } from '@jest/globals'
import { type Guard, guards } from './guards.ts'
import { broken, simulations } from './outcomes.ts'

const isGuard = (name: string): name is Guard => name in guards

describe('The policy of sign-in', () => {
  // [asvs 6.1.1 6.3.1] [threat 15.2a 15.2b 15.2c]
  it.each(simulations)('holds against $name', async ({ name, run, atMost }) => {
    const figures = await run()
    process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`)
    expect(broken(figures, atMost)).toEqual([])
  })

  it.each(Object.keys(guards).filter(isGuard))('breaks without its guard: %s', async (guard) => {
    const noticing = simulations.filter(({ name }) => name === guards[guard])
    const found = await Promise.all(noticing.map(async ({ run, atMost }) => broken(await run(guard), atMost)))
    process.stdout.write(`without "${guard}": ${guards[guard]}: ${found.join()}\n`)
    expect(found.flat()).not.toEqual([])
  })
})
