import { spawnSync } from 'node:child_process'

/** Runs AWS's command line. Returns what it printed; throws where it fails. */
export type RunAws = (...args: string[]) => string

/**
 * AWS's own command line, which operators have, with their credentials, in one region; that of the credentials where none is named.
 * What it throws says what the command line did.
 */
export function awsCommand(region: string | undefined): RunAws {
  return (...args) => {
    const where = region === undefined ? [] : ['--region', region]
    const { status, stdout, stderr, error } = spawnSync('aws', [...args, ...where], { encoding: 'utf8' })
    if (error) throw error
    if (status !== 0) throw new Error(`aws ${args.slice(0, 2).join(' ')} ended with ${status}: ${stderr.trim()}`)
    return stdout
  }
}
