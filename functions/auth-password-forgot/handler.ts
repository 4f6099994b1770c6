import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { mailDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { mailSent } from '../../lib/users/links/sendLink.ts'
import { forgotPassword } from '../../lib/users/password/resetPassword.ts'
import { contract } from './contract.ts'

const deps = mailDepsFromEnvironment()

/** POST /api/auth/password/forgot: sends a link to choose a new password. */
export const handler = anonymousEndpoint(contract, openHttpDeps(), async ({ body, sourceIp, language }) => {
  await forgotPassword(deps, { ...body, sourceIp, language })
  return { status: 202, body: mailSent }
})
