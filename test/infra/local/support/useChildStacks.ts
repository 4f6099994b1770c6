import { afterEach, expect } from '@jest/globals'
import { addressesOf, type ChildStack, isListening, spawnScript } from './childStack.ts'

/** Starts `npm start` as a process, as often as a test wants; each process ends with its test. */
export function useChildStacks() {
  const running: ChildStack[] = []

  function start(args: string[] = ['--port', '0'], env: Record<string, string> = {}): ChildStack {
    const child = spawnScript('local/start.ts', args, env)
    running.push(child)
    return child
  }

  async function stopAll(): Promise<void> {
    await Promise.all(running.splice(0).map((child) => child.stop()))
  }
  afterEach(stopAll)

  return { start, running, stopAll }
}

/** Ends a stack by a signal, and expects that it leaves nothing. */
export async function expectEndBy(signal: 'SIGTERM' | 'SIGINT' | 'SIGHUP', child: ChildStack): Promise<void> {
  const info = await child.ready()
  const { code, milliseconds } = await child.stop(signal)
  expect(code).toBe(0)
  expect(milliseconds).toBeLessThan(10_000)
  for (const address of addressesOf(info)) expect(await isListening(address)).toBe(false)
}
