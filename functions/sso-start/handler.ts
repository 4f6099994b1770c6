import { RequestError } from '../../lib/http/errors.ts'
import { parameters } from '../../lib/http/request/validated.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { providerStartAnswer } from '../../lib/pages/signIn/providerAnswer.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { beginProviderDepsFromEnvironment } from '../../lib/runtime/providers.ts'
import { beginProviderSignIn } from '../../lib/signIn/provider/beginProviderSignIn.ts'
import { contract } from './contract.ts'

const deps = beginProviderDepsFromEnvironment()

/** GET /api/sso/start: leads the browser to an OpenID provider. */
export const handler = pageEndpoint(pageHttpDeps(), async (event, look) => {
  const { data: query } = contract.query.safeParse(parameters(event.rawQueryString))
  if (query === undefined) throw new RequestError('unreadable_form', { message: 'not a start of a sign-in' })
  const { provider: providerId, page, request, login_hint: loginHint } = query
  const returnTo = { page, query: request }
  return providerStartAnswer(look, await beginProviderSignIn(deps, { providerId, returnTo, loginHint }))
})
