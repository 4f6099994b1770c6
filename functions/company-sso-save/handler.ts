import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { ValidationError } from '../../lib/http/errors.ts'
import { saveSignOn } from '../../lib/organizations/signOn/saveSignOn.ts'
import { toSignOnResource } from '../../lib/organizations/signOn/signOnResource.ts'
import { saveSignOnDepsFromEnvironment } from '../../lib/runtime/company.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { issuerFromEnvironment } from '../../lib/runtime/tokens.ts'
import { contract } from './contract.ts'

const deps = saveSignOnDepsFromEnvironment()
const issuer = issuerFromEnvironment()

/** PUT /api/organizations/{organization_id}/sso: sets up the single sign-on of an organization, or replaces it. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, body }) => {
  const saved = await saveSignOn(deps, {
    organizationId: path.organization_id,
    caller,
    settings: {
      issuer: body.issuer,
      clientId: body.client_id,
      clientSecret: body.client_secret,
      isEnforced: body.enforced,
      trustAcr: body.trust_acr,
    },
  })
  if (saved.kind === 'secret_required')
    throw new ValidationError([{ loc: ['body', 'client_secret'], msg: 'Field required', type: 'missing' }])
  return { status: 200, body: toSignOnResource(saved.signOn, issuer) }
})
