import { tokenEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { introspect } from '../../lib/oauth/token/introspect.ts'
import { openHttpDeps } from '../../lib/runtime/http.ts'
import { tokenInspectionDepsFromEnvironment } from '../../lib/runtime/tokens.ts'
import { contract } from './contract.ts'

const deps = tokenInspectionDepsFromEnvironment()

/** POST /api/oauth/introspect: whether a token that this client may ask about is active, and what it grants. */
export const handler = tokenEndpoint(contract, openHttpDeps(), async ({ body }) => {
  const { client_id: clientId, client_secret: clientSecret, token } = body
  const found = await introspect(deps, { clientId, clientSecret, token })
  if (found === undefined) return { status: 200, body: { active: false } }
  const { access } = found
  return {
    status: 200,
    body: {
      active: true,
      scope: found.scope || undefined,
      client_id: found.clientId,
      org: found.organizationId,
      client_kind: found.clientKind,
      token_type: access?.tokenType,
      exp: found.expiresAt,
      iat: access?.issuedAt,
      sub: found.principalId,
      aud: access?.audience,
      iss: found.issuer,
      jti: access?.tokenId,
    },
  }
})
