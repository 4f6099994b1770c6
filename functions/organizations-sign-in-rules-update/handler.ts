import { etagOf, ifMatch } from '../../lib/http/answer/etag.ts'
import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { ValidationError } from '../../lib/http/errors.ts'
import { changeSignInRules } from '../../lib/organizations/admission/changeSignInRules.ts'
import { toSignInRulesResource } from '../../lib/organizations/admission/signInRulesResource.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { changeSignInRulesDepsFromEnvironment } from '../../lib/runtime/organizations.ts'
import { contract } from './contract.ts'

const deps = changeSignInRulesDepsFromEnvironment()

/** PATCH /api/organizations/{organization_id}/sign-in-rules: changes how the members of an organization must be signed in. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, path, headers, body }) => {
  const changed = await changeSignInRules(deps, {
    organizationId: path.organization_id,
    caller,
    change: {
      secondFactorFrom: body.second_factor_required_from,
      maxSessionDays: body.max_session_days,
      idleHours: body.idle_hours,
      allowedClients: body.allowed_clients,
    },
    precondition: ifMatch(headers, toSignInRulesResource),
  })
  if (changed.kind === 'unknown_client') {
    const msg = 'Value error, not the id of a third-party client'
    throw new ValidationError([{ loc: ['body', 'allowed_clients', changed.index], msg, type: 'value_error' }])
  }
  const resource = toSignInRulesResource(changed.rules)
  return { status: 200, body: resource, headers: { etag: etagOf(resource) } }
})
