import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { accountDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { changePassword } from '../../lib/users/password/changePassword.ts'
import { contract } from './contract.ts'

const deps = accountDepsFromEnvironment()

/** POST /api/auth/password/change: sets a new password, given the current one. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, body, language }) => {
  const passwords = { currentPassword: body.current_password, newPassword: body.new_password, language }
  await changePassword(deps, caller, passwords)
  return { status: 204, body: undefined }
})
