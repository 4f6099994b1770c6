import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { mailDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { requestEmailChange } from '../../lib/users/email/requestEmailChange.ts'
import { mailSent } from '../../lib/users/links/sendLink.ts'
import { contract } from './contract.ts'

const deps = mailDepsFromEnvironment()

/** POST /api/users/me/email/change: sends a link to the new email address, which confirms it. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, body, language }) => {
  const { email, current_password: currentPassword } = body
  await requestEmailChange(deps, caller, { email, currentPassword, language })
  return { status: 202, body: mailSent }
})
