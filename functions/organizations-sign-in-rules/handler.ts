import { readAnswer } from '../../lib/http/answer/etag.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { toSignInRulesResource } from '../../lib/organizations/admission/signInRulesResource.ts'
import { readAuthorized } from '../../lib/organizations/authorizeMember.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { organizationsFromEnvironment } from '../../lib/runtime/memberAdmission.ts'
import { contract } from './contract.ts'

const organizations = organizationsFromEnvironment()

/** GET /api/organizations/{organization_id}/sign-in-rules: how the members of an organization must be signed in. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, headers }) => {
  const request = { organizationId: path.organization_id, caller }
  const { organization } = await readAuthorized(organizations, request, 'manage organization')
  return readAnswer(toSignInRulesResource(organization.signInRules), headers)
})
