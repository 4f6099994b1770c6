import type * as z from 'zod/mini'
import type { SecurityForm } from '../../lib/authenticators/security/securityStep.ts'
import { submitSecurity } from '../../lib/authenticators/security/submitSecurity.ts'
import type { HttpResult } from '../../lib/http/contract.ts'
import { readForm } from '../../lib/http/request/readForm.ts'
import { sourceIpOf } from '../../lib/http/request/request.ts'
import { readSessionCookie } from '../../lib/http/security/cookies.ts'
import { foreignToken, formToken, readOwnForm } from '../../lib/http/security/formProtection.ts'
import { readSession, SESSION_SECONDS, strengthenSession } from '../../lib/oauth/session/session.ts'
import type { Look } from '../../lib/pages/kit/look.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { securityAnswer, securityFailure } from '../../lib/pages/security/securityAnswer.ts'
import { queryOfForm, securityPath } from '../../lib/pages/security/securityForm.ts'
import { hostedSignInAnswer, isSignInForm, submitHostedSignIn } from '../../lib/pages/signIn/hostedSignIn.ts'
import { accountSecuritySubmitDepsFromEnvironment } from '../../lib/runtime/accountSecurity.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { askSignIn } from '../../lib/signIn/askSignIn.ts'
import { contract } from './contract.ts'

const deps = accountSecuritySubmitDepsFromEnvironment()
const { origin: passkeyOrigin } = deps.relyingParty

const signInPage = { path: securityPath({ uiLocales: undefined }), passkeyOrigin, returnPage: 'security' as const }

type Form = z.output<typeof contract.body>
type Change = Exclude<Form, { action: 'address' | 'login' | 'second_factor' | 'passkey' | 'switch' }>

/** POST /api/account/security: changes passkeys, the authenticator app, recovery codes and connected providers, or signs in to that. */
export const handler = pageEndpoint(
  pageHttpDeps(),
  async (event, look) => {
    const form = readForm(event, contract.body)
    const own = readOwnForm(event, readSessionCookie(event), form.csrf)
    if (isSignInForm(form)) return submitHostedSignIn(deps, { event, look }, { ...own, form }, signInPage)
    if (own.kind === 'other_cookie') throw foreignToken()
    return change(look, { form: changeOf(form), secret: own.secret, sourceIp: sourceIpOf(event) })
  },
  securityFailure,
)

async function change(
  look: Look,
  { form, secret, sourceIp }: { form: SecurityForm; secret: string; sourceIp: string },
): Promise<HttpResult> {
  const session = await readSession(deps, secret)
  const step = session && (await submitSecurity(deps, { visitor: session, form, sourceIp, language: look.language }))
  if (session === undefined || step === undefined || step.step === 'sign_in') {
    const email = session?.user.email
    const page = { ...signInPage, query: queryOfForm(look, form), secret, isNew: false, email }
    return hostedSignInAnswer(look, await askSignIn(deps, secret), page)
  }
  const proven = step.step === 'done' ? step.proven : undefined
  const started = proven && (await strengthenSession(deps, session, { proven, replaces: secret }))
  const renewed = started ? { started, maxAgeSeconds: SESSION_SECONDS } : undefined
  return securityAnswer(look, step, { csrf: formToken(secret), uiLocales: look.uiLocales, session: renewed })
}

function changeOf(form: Change): SecurityForm {
  if (form.action !== 'approve_reset') return form
  return { action: form.action, organizationId: form.organization_id, userId: form.user_id }
}
