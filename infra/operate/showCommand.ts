import { organizationIdSchema, userIdSchema } from '../../lib/core/ids.ts'
import type { Run } from './command.ts'
import { showOrganization, showUser } from './shown.ts'

/**
 * `show ID`: prints what is stored of an organization or a user, as JSON, for the eyes of an operator: with names and addresses, without
 * secrets and the gateway's customer.
 */
export const show: Run = async ([id], { connect }) => {
  const organizationId = organizationIdSchema.safeParse(id).data
  const userId = userIdSchema.safeParse(id).data
  if (organizationId === undefined || userId === undefined)
    throw new Error('ID is of an organization or a user: a UUID')
  await connect()
  const { showDepsFromEnvironment } = await import('../../lib/runtime/operators.ts')
  const deps = await showDepsFromEnvironment()
  const shown = (await showOrganization(deps, organizationId)) ?? (await showUser(deps, userId))
  if (shown === undefined) {
    console.error('show refused: there is no organization and no user with this id')
    return 2
  }
  console.log(JSON.stringify(shown, undefined, 2))
  return 0
}
