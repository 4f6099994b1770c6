import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { mailDepsFromEnvironment } from '../../lib/runtime/accounts.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { requestVerification } from '../../lib/users/email/verifyEmail.ts'
import { mailSent } from '../../lib/users/links/sendLink.ts'
import { contract } from './contract.ts'

const deps = mailDepsFromEnvironment()

/** POST /api/auth/verify/request: sends another link to verify an email address. */
export const handler = anonymousEndpoint(contract, openHttpDeps(), async ({ body, sourceIp, language }) => {
  await requestVerification(deps, { ...body, sourceIp, language })
  return { status: 202, body: mailSent }
})
