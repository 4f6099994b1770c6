import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type * as z from 'zod'

/**
 * Runs a script of the tests in a process of its own, and reads the JSON that it prints: long explorations run there in half
 * the time, for what Jest loads into its own contexts is slower code.
 * @param script a path below `test/`
 * @throws Error with what the script said, where it failed
 */
export async function inNode<Schema extends z.ZodType>(
  script: string,
  args: readonly string[],
  schema: Schema,
): Promise<z.output<Schema>> {
  const file = new URL(`../${script}`, import.meta.url).pathname
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  if (child.exitCode !== 0) throw new Error(`${script} failed: ${errors || output}`)
  return schema.parse(JSON.parse(output))
}
