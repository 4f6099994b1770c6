import { operateOnFactors } from '../../lib/authenticators/recovery/operateOnFactors.ts'
import { toRfc3339 } from '../../lib/core/clock.ts'
import { apiClientIdSchema } from '../../lib/core/ids.ts'
import { type AccountCommand, operateOnAccount } from '../../lib/organizations/operateOnAccount.ts'
import { type Run, refused, userOf } from './command.ts'

const done = {
  suspend: 'suspended, and signed out everywhere',
  restore: 'restored, and has to sign in again',
  'sign-out': 'signed out everywhere',
} as const satisfies Record<AccountCommand, string>

/** `suspend USER`, `restore USER`, `sign-out USER`. Prints no name or address. */
export function onAccount(command: AccountCommand): Run {
  return async ([user], { dryRun, connect }) => {
    const userId = userOf(user)
    await connect()
    const { operateOnAccountDepsFromEnvironment } = await import('../../lib/runtime/operators.ts')
    const deps = await operateOnAccountDepsFromEnvironment()
    const operated = await operateOnAccount(deps, command, userId, { dryRun })
    switch (operated.kind) {
      case 'refused':
        return refused(command, operated.why)
      case 'unchanged':
        console.log(`${command}: nothing to do, the user is ${command === 'suspend' ? 'suspended' : 'active'}`)
        return 0
      case 'done':
        console.log(`${command}: the user ${dryRun ? 'would be' : 'was'} ${done[command]}`)
        if (operated.deletionTakenBack) {
          console.log(
            'The deletion of the account is taken back, with that of its organizations that were deleted with it.',
          )
        }
        console.log(`An entry in the audit log of ${operated.organizations} organizations.`)
        return 0
    }
  }
}

/** `remove-factors USER [--now]`. Prints no name or address. */
export const removeFactors: Run = async ([user], { dryRun, now, connect }) => {
  const userId = userOf(user)
  await connect()
  const { operateOnFactorsDepsFromEnvironment } = await import('../../lib/runtime/operators.ts')
  const deps = await operateOnFactorsDepsFromEnvironment()
  const removed = await operateOnFactors(deps, { userId, when: now ? 'now' : 'after_a_day' }, { dryRun })
  switch (removed.kind) {
    case 'refused':
      return refused('remove-factors', removed.why)
    case 'unchanged':
      console.log(
        `remove-factors: nothing to do, they are removed at ${toRfc3339(removed.effectiveAt)}; --now does it at once`,
      )
      return 0
    case 'scheduled': {
      const at = toRfc3339(removed.effectiveAt)
      console.log(`remove-factors: the second factors ${dryRun ? 'would be' : 'will be'} removed at ${at}`)
      break
    }
    case 'removed':
      console.log(`remove-factors: the second factors ${dryRun ? 'would be' : 'were'} removed, and every session ended`)
  }
  if (!dryRun) console.log('The user is mailed within a minute.')
  console.log(`An entry in the audit log of ${removed.organizations} organizations.`)
  return 0
}

/** `scopes CLIENT SCOPES`. Writes to the organization's audit log for an API client, and to this process's log for any other client. */
export const changeScopes: Run = async ([clientId = '', list = ''], { dryRun, connect }) => {
  const scopes = list.split(',').filter((scope) => scope !== '')
  if (scopes.length === 0) throw new Error('SCOPES is a list with commas, of one at least')
  await connect()
  const { operatedClientDepsFromEnvironment } = await import('../../lib/runtime/operators.ts')
  const { changeApiClientScopes } = await import('../../lib/organizations/apiClients/changeApiClientScopes.ts')
  const { changeClientScopes } = await import('../../lib/oauth/client/changeClientScopes.ts')
  const deps = await operatedClientDepsFromEnvironment()
  const apiClientId = apiClientIdSchema.safeParse(clientId).data
  const changed = apiClientId
    ? await changeApiClientScopes(deps, { clientId: apiClientId, scopes }, { dryRun })
    : await changeClientScopes(deps, { clientId, scopes }, { dryRun })
  if (changed.kind === 'refused') return refused('scopes', changed.why)
  const before = changed.before?.join(' ') ?? 'every scope'
  console.log(
    changed.kind === 'unchanged'
      ? `scopes: nothing to do, the client has ${before}`
      : `scopes: the client ${dryRun ? 'would have' : 'has'} ${scopes.join(' ')} in place of ${before}`,
  )
  return 0
}
