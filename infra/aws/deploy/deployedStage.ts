import * as z from 'zod'
import type { RunAws } from './awsCommand.ts'

const outputs = z.array(z.object({ OutputKey: z.string(), OutputValue: z.string() })).nullable()
const secret = z.object({ VersionIdsToStages: z.record(z.string(), z.array(z.string())).default({}) })

/** Whether AWS's command line failed because there is no such thing, and not because it may not look. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && /does not exist|NotFound/.test(error.message)
}

/** What a call answers, as JSON; undefined where there is no such thing. Throws where it fails for another reason. */
export function readIfThere(aws: RunAws, ...args: string[]): unknown {
  try {
    return JSON.parse(aws(...args, '--output', 'json'))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The outputs of a stack by key; undefined where it was never deployed. */
export function outputsOf(aws: RunAws, stack: string): ReadonlyMap<string, string> | undefined {
  const query = ['--stack-name', stack, '--query', 'Stacks[0].Outputs']
  const answer = readIfThere(aws, 'cloudformation', 'describe-stacks', ...query)
  if (answer === undefined) return undefined
  return new Map((outputs.parse(answer) ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]))
}

/** Whether a secret has a value; its value is not read. */
export function isFilled(aws: RunAws, arn: string): boolean {
  const answer = secret.parse(readIfThere(aws, 'secretsmanager', 'describe-secret', '--secret-id', arn) ?? {})
  return Object.values(answer.VersionIdsToStages).some((labels) => labels.includes('AWSCURRENT'))
}

/** The command that stores a secret’s value, without the newline that typing it into a file would leave: Stripe refuses a key that ends in one. */
export function fillSecret(id: string): string {
  return `read -rs S; printf %s "$S" | aws secretsmanager put-secret-value --secret-id ${id} --secret-string file:///dev/stdin`
}
