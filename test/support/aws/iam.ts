import { operator } from '../../../infra/manifest/operator.ts'
import type { FunctionRow } from '../../../infra/manifest.ts'
import { watchUncheckedCalls } from '../watchUncheckedCalls.ts'
import type { Authorize, AwsCall } from './awsCalls.ts'
import { operatorPermissions, permissionsGranted, permissionsNeeded, type ResourceNames } from './iamPermissions.ts'

/** IAM of AWS for the tests: what a function's row does not list is refused, and remembered. */
export interface Iam {
  /** For `interceptAwsCalls`. Calls of the tests themselves pass; a function's call that is not intercepted is a violation. */
  readonly authorize: Authorize
  /** Every call of a function since the last `forgetCalls`, refused ones included. */
  calls(): readonly AwsCall[]
  forgetCalls(): void
  /** Each permission that was made use of, as `<function> <service>:<action> <resource>`. */
  used(): ReadonlySet<string>
  /** The violations so far, which are forgotten then. */
  takeViolations(): string[]
  /** Throws an Error that names every violation so far; they are forgotten then. */
  expectNoViolation(): void
  close(): Promise<void>
}

/** @param names the manifest's names for key ids and secret ARNs */
export function startIam(rows: readonly FunctionRow[], names: ResourceNames): Iam {
  const granted = new Map([
    ...rows.map((row) => [row.name, new Set(permissionsGranted(row))] as const),
    [operator.name, new Set(operatorPermissions())] as const,
  ])
  const used = new Set<string>()
  const violations = new Set<string>()
  let calls: AwsCall[] = []
  const stop = watchUncheckedCalls(
    (functionName, host) => void violations.add(`${functionName} calls AWS at ${host}, past the check`),
  )

  function takeViolations(): string[] {
    const taken = [...violations]
    violations.clear()
    return taken
  }

  return {
    authorize(call) {
      const { functionName } = call
      if (functionName === undefined) return undefined
      calls.push(call)
      const needed = permissionsNeeded(call, names)
      const held = granted.get(functionName)
      // What may be done to every item may be done to some.
      const grantOf = (permission: string) =>
        [permission, permission.replace(/, of .*$/, '')].find((one) => held?.has(one))
      const missing = needed.filter((permission) => grantOf(permission) === undefined)
      for (const permission of missing) violations.add(`${functionName} may not ${permission}`)
      if (missing[0] !== undefined) return accessDenied(functionName, missing[0])
      for (const permission of needed) used.add(`${functionName} ${grantOf(permission)}`)
      return undefined
    },
    calls: () => [...calls],
    forgetCalls: () => {
      calls = []
    },
    used: () => used,
    takeViolations,
    expectNoViolation() {
      const taken = takeViolations()
      if (taken.length > 0) throw new Error(`Beyond the lists of infra/manifest.ts:\n  ${taken.join('\n  ')}`)
    },
    async close() {
      stop()
    },
  }
}

function accessDenied(functionName: string, permission: string) {
  const [action, resource] = permission.split(' ')
  const user = `arn:aws:sts::000000000000:assumed-role/${functionName}/${functionName}`
  const message = `User: ${user} is not authorized to perform: ${action} on resource: ${resource}`
  return { type: 'AccessDeniedException', message }
}
