import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { resetOptionsDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { toResetOptionResource } from '../../lib/users/password/resetOptionResource.ts'
import { readResetOptions } from '../../lib/users/password/resetPassword.ts'
import { contract } from './contract.ts'

const deps = resetOptionsDepsFromEnvironment()

/** POST /api/auth/password/reset/options: lists the authenticators of the account, given the token of a mail. */
export const handler = anonymousEndpoint(contract, openHttpDeps(), async ({ body }) => {
  const options = await readResetOptions(deps, body.token)
  return { status: 200, body: { authenticators: options.map(toResetOptionResource), next_cursor: null } }
})
