import { performance } from 'node:perf_hooks'
import type { BundledFunctions } from './bundleFunctions.ts'
import { type SandboxOptions, startSandbox } from './sandbox.ts'

/** A cold start to measure: a function and the event that starts it. */
export interface ColdStart extends Pick<SandboxOptions, 'name' | 'memoryMb' | 'timeoutSeconds' | 'environment'> {
  /** Makes a fresh event. That time is not measured. */
  readonly event: () => Promise<unknown>
  /** Throws if the answer is not the expected answer, so that a failure does not pass as a fast start. */
  readonly check: (answer: unknown) => void
}

/**
 * Measures cold starts, from the spawn of the process to its first answer: the median of `runs` for each, in milliseconds. The functions take
 * turns, so that other load on the machine affects all of them equally.
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

/** The middle value, or the mean of the two middle values if their number is even. NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[sorted.length >> 1]]
  return (low + high) / 2
}
