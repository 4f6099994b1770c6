import fc from 'fast-check'
import * as z from 'zod'
import { type Beside, comeToRest, sequences } from './commands.ts'
import { byCard, createModel, type Served } from './referenceModel.ts'
import { openSession, prepare, type Sabotage } from './session.ts'

/** What a run of sequences came to. */
export const playedSequences = z.object({
  sequences: z.number(),
  steps: z.number(),
  /** Answers held to exactly one, to a few because their request met a fault, and to many because an earlier one did. */
  answers: z.object({ exact: z.number(), faulty: z.number(), open: z.number() }),
  /** The shrunk sequence that broke a rule, and how; null where none did. */
  failure: z.string().nullable(),
})
export type Played = z.infer<typeof playedSequences>

const LENGTH = 24

/**
 * Plays random sequences of what users, Stripe and the world do, each against the reference model; the same seed plays the
 * same ones. After the last step everything comes to rest.
 * @param options.sabotage a broken part, to show that it is noticed
 * @param options.hands what a person may do in the Dashboard beside them
 * @param options.invoices whether the first organization is sent invoices
 */
export async function playSequences(
  count: number,
  seed: number,
  { sabotage, hands = [], invoices = false }: { sabotage?: Sabotage } & Beside = {},
): Promise<Played> {
  const served: Served = invoices ? ['invoice', 'card'] : byCard
  const prepared = await prepare(served)
  const played: Played = {
    sequences: 0,
    steps: 0,
    answers: { exact: 0, faulty: 0, open: 0 },
    failure: null,
  }
  const property = fc.asyncProperty(sequences(LENGTH, { hands, invoices }), async (commands) => {
    const session = openSession(prepared, { sabotage, hasHands: hands.length > 0 })
    const model = createModel(served)
    try {
      await fc.asyncModelRun(() => ({ model, real: session }), commands)
      await comeToRest(model, session)
    } catch (error) {
      const trace = session.world.trace.slice(-60).join('\n  ')
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n  ${trace}`)
    } finally {
      played.sequences += 1
      for (const kind of ['exact', 'faulty', 'open'] as const) played.answers[kind] += session.answers[kind]
      played.steps += [...commands].length
      session.world.close()
    }
  })
  const details = await fc.check(property, { numRuns: count, seed, endOnFailure: false })
  if (details.failed) {
    const sequence = details.counterexample?.map((commands) => String(commands)).join('')
    const why = details.errorInstance instanceof Error ? details.errorInstance.message : 'interrupted'
    played.failure = `seed ${seed}, after ${details.numRuns} sequences and ${details.numShrinks} shrinks:\n${sequence}\n${why}`
  }
  return played
}

/** The figures of a run in one line. */
export function figures({ sequences, steps, answers }: Played, seed: number): string {
  const { exact, faulty, open } = answers
  return `${sequences} sequences from seed ${seed}, ${steps} steps, ${exact} answers held to one, ${faulty} to a fault's few, ${open} open after one`
}
