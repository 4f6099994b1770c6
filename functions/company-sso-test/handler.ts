import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { testSignOn } from '../../lib/organizations/signOn/testSignOn.ts'
import { testSignOnDepsFromEnvironment } from '../../lib/runtime/company.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = testSignOnDepsFromEnvironment()

/** POST /api/organizations/{organization_id}/sso/test: asks the provider of an organization for its metadata. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  const fault = await testSignOn(deps, { organizationId: path.organization_id, caller })
  return { status: 200, body: { ok: fault === undefined, error: fault ?? null } }
})
