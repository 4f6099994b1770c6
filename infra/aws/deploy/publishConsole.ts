import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { RunAws } from './awsCommand.ts'

const outputs = z.array(z.object({ OutputKey: z.string(), OutputValue: z.string() }))

/**
 * Uploads the built console to the bucket of a stack, with the configuration from the stack's outputs.
 * @param stack the name of a deployed stack of `ConsoleWebStack`
 * @param dist the output of `npm run build:console`; this adds `config.json`
 */
export function publishConsole(stack: string, dist: string, aws: RunAws): void {
  const query = ['--query', 'Stacks[0].Outputs', '--output', 'json']
  const answer = outputs.parse(JSON.parse(aws('cloudformation', 'describe-stacks', '--stack-name', stack, ...query)))
  const outputOf = (key: string) => {
    const found = answer.find(({ OutputKey }) => OutputKey === key)
    if (found === undefined) throw new Error(`${stack} has no output ${key}`)
    return found.OutputValue
  }
  const bucket = outputOf('ConsoleBucket')
  writeFileSync(join(dist, 'config.json'), outputOf('ConsoleConfig'))
  // Upload assets first, so that no page names a missing asset. Keep the old assets for pages that are still open.
  const forever = ['--cache-control', 'public, max-age=31536000, immutable']
  aws('s3', 'sync', join(dist, 'assets'), `s3://${bucket}/assets`, ...forever)
  aws('s3', 'sync', dist, `s3://${bucket}`, '--exclude', 'assets/*', '--cache-control', 'no-cache')
}
