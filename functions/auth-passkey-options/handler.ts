import { anonymousEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { beginPasskeyDepsFromEnvironment } from '../../lib/runtime/signIn.ts'
import { beginPasskey } from '../../lib/signIn/beginPasskey.ts'
import { contract } from './contract.ts'

const deps = beginPasskeyDepsFromEnvironment()

/** POST /api/auth/passkey/options: returns the options with which the sign-in page asks the browser for a passkey. */
export const handler = anonymousEndpoint(contract, openHttpDeps(), async ({ body, session: secret }) => {
  const options = await beginPasskey(deps, { ...body, secret })
  return { status: 200, body: contract.responses[200].parse(options) }
})
