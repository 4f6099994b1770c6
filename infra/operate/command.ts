import type { OperateDeps } from '../../lib/billing/operate/operate.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../lib/core/ids.ts'

export interface CommandOptions {
  /** Only prints what it would do, if true. */
  readonly dryRun: boolean
  /** Whether `--now` was given. */
  readonly now: boolean
  /** The text after `--days`. */
  readonly days: string | undefined
  /** The text after `--requests-per-minute`. */
  readonly requestsPerMinute: string | undefined
  /** The text after `--for`. */
  readonly for: string | undefined
  /** The text after `--before`. */
  readonly before: string | undefined
  /** The texts after each `--type`. */
  readonly types: readonly string[]
  /** The texts after `--name`, `--issuer`, `--client-id` and `--client-secret-file`, and whether `--trust-acr` was given. */
  readonly provider: {
    readonly name: string | undefined
    readonly issuer: string | undefined
    readonly clientId: string | undefined
    readonly secretFile: string | undefined
    readonly trustAcr: boolean
  }
  /** Whether `--lift` was given. */
  readonly lift: boolean
  /** Puts the stack into this process's environment. Import modules that read it only afterwards. Throws if no stack answers. */
  connect(): Promise<void>
}

/**
 * Runs a command, prints the result, and returns the exit code: 2 if it is refused, 1 if the operator should try again.
 * @throws Error with a text for the operator, if the arguments are wrong
 */
export type Run = (args: readonly string[], options: CommandOptions) => Promise<number>

/** Prints why a command is refused. Returns its exit code. */
export function refused(command: string, why: string): number {
  console.error(`${command} refused: ${why}`)
  return 2
}

/** @throws Error if `text` is no organization's id */
export function organizationOf(text: string | undefined): OrganizationId {
  const organizationId = organizationIdSchema.safeParse(text).data
  if (!organizationId) throw new Error('ORGANIZATION is an id: a UUID')
  return organizationId
}

/** @throws Error if `text` is no user's id */
export function userOf(text: string | undefined): UserId {
  const userId = userIdSchema.safeParse(text).data
  if (!userId) throw new Error('USER is an id: a UUID')
  return userId
}

/** The options that say whether a command changes anything. */
export const changeOptions = ['dry-run', 'adopt-only', 'apply', 'now', 'lift', 'trust-acr'] as const

/**
 * Whether a command only prints what it would do: on AWS unless `--apply` is given, on the local stack if `--dry-run` is given.
 * @throws Error if both are given
 */
export function isDryRun(options: { aws: boolean; 'dry-run': boolean; apply: boolean }): boolean {
  if (options['dry-run'] && options.apply) throw new Error('--dry-run or --apply, not both')
  return options['dry-run'] || (options.aws && !options.apply)
}

/** Call it only when `connect` has run: the import reads the environment. */
export async function operateDeps(): Promise<OperateDeps> {
  const { reconcileDepsFromEnvironment } = await import('../../lib/runtime/billing.ts')
  const deps = await reconcileDepsFromEnvironment()
  await deps.clock.sync()
  return deps
}
