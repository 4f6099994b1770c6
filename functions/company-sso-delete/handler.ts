import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { deleteSignOn } from '../../lib/organizations/signOn/deleteSignOn.ts'
import { changeSignOnDepsFromEnvironment } from '../../lib/runtime/company.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { contract } from './contract.ts'

const deps = changeSignOnDepsFromEnvironment()

/** DELETE /api/organizations/{organization_id}/sso: deletes the single sign-on of an organization. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path }) => {
  await deleteSignOn(deps, { organizationId: path.organization_id, caller })
  return { status: 204, body: undefined }
})
