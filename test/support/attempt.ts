import type { Passage, PortCall } from '../proof/world/orders/gate.ts'

/** Runs a call at the gate. Resolves with what became of it. */
export async function attempt(run: () => unknown): Promise<Passage> {
  try {
    await run()
    return { kind: 'answer' }
  } catch (error) {
    return { kind: 'throw', error }
  }
}

/** What can happen to a call of any port. */
export const plainFaults = {
  'not applied': (call: PortCall) => attempt(call.failure),
  async 'answer lost'(call: PortCall) {
    await attempt(call.effect)
    return attempt(call.failure)
  },
  'crash before': async (): Promise<Passage> => ({ kind: 'crash' }),
  async 'crash after'(call: PortCall): Promise<Passage> {
    await attempt(call.effect)
    return { kind: 'crash' }
  },
  async duplicated(call: PortCall) {
    await attempt(call.effect)
    return attempt(call.effect)
  },
} as const
