import { spawnSync } from 'node:child_process'

/** Runs AWS's command line. Returns its output; throws if it fails. */
export type RunAws = (...args: string[]) => string

/** AWS's command line in a region, as `awsCommand` makes it. */
export type AwsCommandIn = (region: string | undefined) => RunAws

/**
 * AWS's own command line with the operator's credentials, in this region, or in the region of the credentials if it is undefined. Its errors
 * say what the command line printed.
 */
export function awsCommand(region: string | undefined): RunAws {
  return (...args) => {
    const where = region === undefined ? [] : ['--region', region]
    const { status, stdout, stderr, error } = spawnSync('aws', [...args, ...where], {
      encoding: 'utf8',
      env: process.env,
    })
    if (error) throw error
    if (status !== 0) throw new Error(`aws ${args.slice(0, 2).join(' ')} ended with ${status}: ${stderr.trim()}`)
    return stdout
  }
}
