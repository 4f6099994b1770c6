import { relyingPartyOf } from '../../lib/core/relyingParty.ts'
import { readSessionCookie } from '../../lib/http/security/cookies.ts'
import { authorize } from '../../lib/oauth/authorize/authorize.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { authorizeAnswer } from '../../lib/pages/signIn/authorizeAnswer.ts'
import { authorizeDepsFromEnvironment } from '../../lib/runtime/authorize.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'

const deps = authorizeDepsFromEnvironment()
const { origin: passkeyOrigin } = relyingPartyOf(deps.issuer)

/** GET /api/oauth/authorize: the sign-in page, the consent page, or the redirect back to the client. */
export const handler = pageEndpoint(pageHttpDeps(), async (event, look) => {
  const secret = readSessionCookie(event)
  const query = event.rawQueryString
  const step = await authorize(deps, { query, secret })
  const isNew = secret === undefined
  return authorizeAnswer(step, { query, secret: secret ?? deps.ids.secret(), isNew, passkeyOrigin }, look)
})
