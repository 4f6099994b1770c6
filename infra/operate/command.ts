import type { OperateDeps } from '../../lib/billing/operate/operate.ts'
import { type OrganizationId, organizationIdSchema } from '../../lib/core/ids.ts'

/** How a command is run. */
export interface CommandOptions {
  /** Whether only what it would do is printed. */
  readonly dryRun: boolean
  /** The text after `--days`. */
  readonly days: string | undefined
  /** Names the stack in this process's environment; what reads it is imported only afterwards. Throws where no stack answers. */
  connect(): Promise<void>
}

/**
 * Runs a command, prints what it came to, and returns the exit code: 2 where it is refused, 1 where it is to be tried again.
 * @throws Error with a text for the operator, where the arguments are wrong
 */
export type Run = (args: readonly string[], options: CommandOptions) => Promise<number>

/** @throws Error where `text` is no organization's id */
export function organizationOf(text: string | undefined): OrganizationId {
  const organizationId = organizationIdSchema.safeParse(text).data
  if (!organizationId) throw new Error('ORGANIZATION is an id: a UUID')
  return organizationId
}

/**
 * Whether a command only prints what it would do: on AWS unless `--apply` is given, on the local stack where `--dry-run` is.
 * @throws Error where both are given
 */
export function isDryRun(options: { aws: boolean; 'dry-run': boolean; apply: boolean }): boolean {
  if (options['dry-run'] && options.apply) throw new Error('--dry-run or --apply, not both')
  return options['dry-run'] || (options.aws && !options.apply)
}

/** What changes billing. Imported only when it is called: it reads the environment that the stack, or the shell, has set. */
export async function operateDeps(): Promise<OperateDeps> {
  const { reconcileDepsFromEnvironment } = await import('../../lib/runtime/billing.ts')
  const deps = await reconcileDepsFromEnvironment()
  await deps.clock.sync()
  return deps
}
