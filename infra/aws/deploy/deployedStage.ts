import * as z from 'zod'
import type { RunAws } from './awsCommand.ts'

const outputs = z.array(z.object({ OutputKey: z.string(), OutputValue: z.string() })).nullable()
const secret = z.object({ VersionIdsToStages: z.record(z.string(), z.array(z.string())).default({}) })

/** Whether AWS's command line failed because the resource does not exist, and not because access was denied. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && /does not exist|NotFound/.test(error.message)
}

/** The JSON answer of a call; undefined if the resource does not exist. Throws if the call fails for another reason. */
export function readIfThere(aws: RunAws, ...args: string[]): unknown {
  try {
    return JSON.parse(aws(...args, '--output', 'json'))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The outputs of a stack by key; undefined if it was never deployed. */
export function outputsOf(aws: RunAws, stack: string): ReadonlyMap<string, string> | undefined {
  const query = ['--stack-name', stack, '--query', 'Stacks[0].Outputs']
  const answer = readIfThere(aws, 'cloudformation', 'describe-stacks', ...query)
  if (answer === undefined) return undefined
  return new Map((outputs.parse(answer) ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]))
}

/** Whether a secret has a value. Does not read the value. */
export function isFilled(aws: RunAws, arn: string): boolean {
  const answer = secret.parse(readIfThere(aws, 'secretsmanager', 'describe-secret', '--secret-id', arn) ?? {})
  return Object.values(answer.VersionIdsToStages).some((labels) => labels.includes('AWSCURRENT'))
}

/** The command that stores a secret’s value without a trailing newline: Stripe refuses a key if it ends in a newline. */
export function fillSecret(id: string): string {
  return `read -rs S; printf %s "$S" | aws secretsmanager put-secret-value --secret-id ${id} --secret-string file:///dev/stdin`
}
