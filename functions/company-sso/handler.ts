import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { openSignOn } from '../../lib/organizations/signOn/signOnDeps.ts'
import { toSignOnResource } from '../../lib/organizations/signOn/signOnResource.ts'
import { signOnDepsFromEnvironment } from '../../lib/runtime/company.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { issuerFromEnvironment } from '../../lib/runtime/tokens.ts'
import { contract } from './contract.ts'

const deps = signOnDepsFromEnvironment()
const issuer = issuerFromEnvironment()

/** GET /api/organizations/{organization_id}/sso: the single sign-on of an organization. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const signOn = await openSignOn(deps, { organizationId: path.organization_id, caller })
  return { status: 200, body: toSignOnResource(signOn, issuer) }
})
