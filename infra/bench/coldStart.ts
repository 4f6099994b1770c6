import { performance } from 'node:perf_hooks'
import type { BundledFunctions } from './bundleFunctions.ts'
import { startSandbox } from './sandbox.ts'

/** What is to be measured: one function and the event that it is started for. */
export interface ColdStart {
  /** The function's name, or `bare`. */
  readonly name: string
  readonly memoryMb: number
  readonly timeoutSeconds: number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A fresh event; what it takes to make one is not measured. */
  readonly event: () => Promise<unknown>
  /** Throws where the answer is not what the event is meant to get: a failure would be measured as a fast start. */
  readonly check: (answer: unknown) => void
}

/**
 * Measures cold starts, from the spawn of the process to its first answer: the median of `runs` for each, in milliseconds. They take
 * turns, so that whatever else the machine does meets all of them alike.
 */
export async function measureColdStarts<Key>(
  bundles: BundledFunctions,
  starts: ReadonlyMap<Key, ColdStart>,
  runs: number,
): Promise<ReadonlyMap<Key, number>> {
  const times = new Map<Key, number[]>()
  for (let run = 0; run < runs; run++) {
    for (const [key, start] of starts) {
      times.set(key, [...(times.get(key) ?? []), await measureOnce(bundles, start)])
    }
  }
  return new Map([...times].map(([key, measured]) => [key, median(measured)]))
}

async function measureOnce({ bootstrap, codeDirectory }: BundledFunctions, start: ColdStart): Promise<number> {
  const event = await start.event()
  const started = performance.now()
  const sandbox = await startSandbox({ ...start, bootstrap, codeDirectory: codeDirectory(start.name) })
  try {
    const answer = await sandbox.invoke(event)
    const elapsed = performance.now() - started
    start.check(answer)
    return elapsed
  } finally {
    await sandbox.close()
  }
}

/** The value in the middle; the mean of the two middle ones of an even number. NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[sorted.length >> 1]]
  return (low + high) / 2
}
