import { readForm } from '../../lib/http/form.ts'
import { requireOwnForm } from '../../lib/http/formProtection.ts'
import { readSessionCookie } from '../../lib/http/sessionCookie.ts'
import { authorizeSubmit } from '../../lib/oauth/authorizeSubmit.ts'
import { authorizeAnswer } from '../../lib/pages/authorizeAnswer.ts'
import { pageEndpoint } from '../../lib/pages/pageEndpoint.ts'
import { authorizeDepsFromEnvironment } from '../../lib/runtime/authorize.ts'
import { rateLimitFromEnvironment } from '../../lib/runtime/rateLimits.ts'
import { contract } from './contract.ts'

const deps = authorizeDepsFromEnvironment()
const rateLimit = rateLimitFromEnvironment()

/** POST /api/oauth/authorize: the forms of the sign-in page and the consent page. */
export const handler = pageEndpoint({ ...deps, rateLimit }, async (event, look) => {
  const form = readForm(event, contract.body)
  const secret = requireOwnForm(event, readSessionCookie(event), form.csrf)
  const query = event.rawQueryString
  const sourceIp = event.requestContext.http.sourceIp
  const step = await authorizeSubmit(deps, { query, secret }, form.action === 'login' ? { ...form, sourceIp } : form)
  return authorizeAnswer(step, { query, secret, isNew: false }, look)
})
