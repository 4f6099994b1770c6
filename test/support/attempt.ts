import type { Passage } from '../proof/world/gate.ts'

/** Runs a call at the gate. Resolves with what became of it. */
export async function attempt(run: () => unknown): Promise<Passage> {
  try {
    await run()
    return { kind: 'answer' }
  } catch (error) {
    return { kind: 'throw', error }
  }
}
