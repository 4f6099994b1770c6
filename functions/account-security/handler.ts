import type * as z from 'zod/mini'
import type { SecurityView } from '../../lib/authenticators/security/securityStep.ts'
import { showSecurity } from '../../lib/authenticators/security/showSecurity.ts'
import { RequestError } from '../../lib/http/errors.ts'
import { parameters } from '../../lib/http/request/validated.ts'
import { readSessionCookie } from '../../lib/http/security/cookies.ts'
import { formToken } from '../../lib/http/security/formProtection.ts'
import { readSession } from '../../lib/oauth/session/session.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { securityAnswer } from '../../lib/pages/security/securityAnswer.ts'
import { securityPath } from '../../lib/pages/security/securityForm.ts'
import { hostedSignInAnswer } from '../../lib/pages/signIn/hostedSignIn.ts'
import { accountSecurityDepsFromEnvironment } from '../../lib/runtime/accountSecurity.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { askSignIn } from '../../lib/signIn/askSignIn.ts'
import { contract } from './contract.ts'

const deps = accountSecurityDepsFromEnvironment()
const { origin: passkeyOrigin } = deps.relyingParty
const signInPage = { path: securityPath({ uiLocales: undefined }), passkeyOrigin, returnPage: 'security' as const }

/** GET /api/account/security: the pages of passkeys, the authenticator app and recovery codes, or the sign-in to them. */
export const handler = pageEndpoint(pageHttpDeps(), async (event, look) => {
  const { data: query } = contract.query.safeParse(parameters(event.rawQueryString))
  if (query === undefined) throw new RequestError('unreadable_form', { message: 'not a page of authenticators' })
  const known = readSessionCookie(event)
  const session = await readSession(deps, known)
  const step = session && (await showSecurity(deps, session, viewOf(query)))
  const secret = known ?? deps.ids.secret()
  if (step !== undefined && step.step !== 'sign_in')
    return securityAnswer(look, step, { csrf: formToken(secret), uiLocales: look.uiLocales })
  const page = { ...signInPage, query: event.rawQueryString, secret, isNew: known === undefined }
  return hostedSignInAnswer(look, await askSignIn(deps, known), { ...page, email: session?.user.email })
})

function viewOf(query: z.output<typeof contract.query>): SecurityView {
  if (query.view === undefined) return { view: 'overview', done: query.done }
  if (query.view === 'passkey' || query.view === 'provider') return { view: query.view, id: query.id }
  if (query.view !== 'reset') return { view: query.view }
  return { view: query.view, organizationId: query.organization_id, userId: query.user_id }
}
