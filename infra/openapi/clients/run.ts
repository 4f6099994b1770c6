import { execFile } from 'node:child_process'

/** A tool or a language that this machine lacks: said, and no failure. */
export class Unavailable extends Error {}

interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** 10 by default. */
  readonly minutes?: number
}

/**
 * Runs a command and returns what it printed.
 * @throws Unavailable if there is no such command
 * @throws Error with its output, if it fails or takes longer than its minutes
 */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env = {}, minutes = 10 }: RunOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout: minutes * 60_000, maxBuffer: 64 * 1024 * 1024 }
    execFile(command, [...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      if (error.code === 'ENOENT') return reject(new Unavailable(`${command} is not installed`))
      reject(new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`))
    })
  })
}

/** Runs what fetches a tool from its registry. @throws Unavailable with the first line of what went wrong */
export async function fetched(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Unavailable) throw error
    const lines = error instanceof Error ? error.message.split('\n').filter((line) => line.trim() !== '') : []
    throw new Unavailable(lines.slice(0, 2).join(': ') || 'the registry does not answer')
  }
}
