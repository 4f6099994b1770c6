import { apiClientIdSchema } from '../../lib/core/ids.ts'
import type { Run } from './command.ts'

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
  if (changed.kind === 'refused') {
    console.error(`scopes refused: ${changed.why}`)
    return 2
  }
  const before = changed.before?.join(' ') ?? 'every scope'
  console.log(
    changed.kind === 'unchanged'
      ? `scopes: nothing to do, the client has ${before}`
      : `scopes: the client ${dryRun ? 'would have' : 'has'} ${scopes.join(' ')} in place of ${before}`,
  )
  return 0
}
