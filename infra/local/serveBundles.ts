import { bundleFunctions } from '../bench/bundleFunctions.ts'
import { type Sandbox, startSandbox } from '../bench/sandbox.ts'
import { rateLimitVariable } from '../data/rateLimits.ts'
import type { FunctionRow } from '../manifest.ts'
import type { LambdaEvent } from './invokeFunction.ts'
import type { Closable } from './resourceScope.ts'

/** The functions' bundles, each in a process of its own as on Lambda. */
export interface ServedBundles extends Closable {
  /**
   * Runs a function's bundle, and starts its process if there is none.
   * @throws Error what the function throws, or when the row's timeout passes first
   */
  invoke(row: FunctionRow, event: LambdaEvent): Promise<unknown>
}

interface BundleOptions {
  /** The functions' variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Discards what functions print. */
  readonly quiet?: boolean | undefined
}

/** Processes that are kept for the next request. A process takes about 60 MB. */
const KEPT = 16

interface Kept {
  readonly sandbox: Promise<Sandbox>
  running: number
}

/** Builds the bundle of every function as a deployment does, and serves them. Takes some seconds. */
export async function serveBundles({ environment, quiet }: BundleOptions): Promise<ServedBundles> {
  const bundles = await bundleFunctions()
  /** By function, the least recently used first. */
  const kept = new Map<string, Kept>()

  function open(row: FunctionRow): Kept {
    const found = kept.get(row.name) ?? { sandbox: start(row), running: 0 }
    kept.delete(row.name)
    kept.set(row.name, found)
    return found
  }

  function start(row: FunctionRow): Promise<Sandbox> {
    const limit = rateLimitVariable(row)
    return startSandbox({
      ...row,
      bootstrap: bundles.bootstrap,
      codeDirectory: bundles.codeDirectory(row.name),
      environment: { ...environment, ...(limit !== undefined && { RATE_LIMIT: limit }) },
      output: quiet ? 'ignore' : 'inherit',
    })
  }

  async function end(name: string, { sandbox }: Kept): Promise<void> {
    if (kept.get(name)?.sandbox === sandbox) kept.delete(name)
    await (await sandbox).close()
  }

  async function endUnused(): Promise<void> {
    const idle = [...kept].filter(([, { running }]) => running === 0)
    await Promise.all(idle.slice(0, Math.max(0, kept.size - KEPT)).map(([name, one]) => end(name, one)))
  }

  return {
    async invoke(row, event) {
      const used = open(row)
      used.running += 1
      const { promise: timedOut, reject } = Promise.withResolvers<never>()
      const timeout = () => reject(new Error(`${row.name} timed out after ${row.timeoutSeconds} seconds`))
      const timer = setTimeout(timeout, row.timeoutSeconds * 1000)
      try {
        return await Promise.race([used.sandbox.then((sandbox) => sandbox.invoke(event)), timedOut])
      } catch (error) {
        // Lambda, too, starts a new process after a timeout or a crash.
        await end(row.name, used)
        throw error
      } finally {
        clearTimeout(timer)
        used.running -= 1
        await endUnused()
      }
    },
    async close() {
      await Promise.all([...kept].map(([name, one]) => end(name, one)))
      await bundles.close()
    },
  }
}
