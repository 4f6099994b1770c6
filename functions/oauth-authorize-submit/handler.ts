import { relyingPartyOf } from '../../lib/core/relyingParty.ts'
import { readForm } from '../../lib/http/form.ts'
import { requireOwnForm } from '../../lib/http/formProtection.ts'
import { readKnownBrowserCookie } from '../../lib/http/knownBrowserCookie.ts'
import { header, sourceIpOf } from '../../lib/http/request.ts'
import { readSessionCookie } from '../../lib/http/sessionCookie.ts'
import { authorizeSubmit } from '../../lib/oauth/authorizeSubmit.ts'
import { authorizeAnswer } from '../../lib/pages/authorizeAnswer.ts'
import { pageEndpoint } from '../../lib/pages/pageEndpoint.ts'
import { authorizeSubmitDepsFromEnvironment } from '../../lib/runtime/authorizeSubmit.ts'
import { callersFromEnvironment } from '../../lib/runtime/callers.ts'
import { contract } from './contract.ts'

const deps = authorizeSubmitDepsFromEnvironment()
const callers = callersFromEnvironment()
const { origin: passkeyOrigin } = relyingPartyOf(deps.issuer)

/** POST /api/oauth/authorize: the forms of the sign-in page and the consent page. */
export const handler = pageEndpoint({ ...deps, ...callers }, async (event, look) => {
  const form = readForm(event, contract.body)
  const secret = requireOwnForm(event, readSessionCookie(event), form.csrf)
  const query = event.rawQueryString
  const from = {
    sourceIp: sourceIpOf(event),
    knownBrowser: readKnownBrowserCookie(event),
    userAgent: header(event, 'user-agent'),
    language: look.language,
  }
  const step = await authorizeSubmit(deps, { query, secret }, { ...form, ...from })
  return authorizeAnswer(step, { query, secret, isNew: false, passkeyOrigin }, look)
})
