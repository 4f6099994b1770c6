import type * as z from 'zod/mini'
import type { SecurityForm } from '../../lib/authenticators/security/securityStep.ts'
import { submitSecurity } from '../../lib/authenticators/security/submitSecurity.ts'
import { seeOther } from '../../lib/http/answer/answer.ts'
import type { HttpEvent, HttpResult } from '../../lib/http/contract.ts'
import { readForm } from '../../lib/http/request/readForm.ts'
import { header, sourceIpOf } from '../../lib/http/request/request.ts'
import { readKnownBrowserCookie, readSessionCookie } from '../../lib/http/security/cookies.ts'
import { foreignToken, formToken, readOwnForm } from '../../lib/http/security/formProtection.ts'
import { readSession, SESSION_SECONDS, strengthenSession } from '../../lib/oauth/session/session.ts'
import type { Look } from '../../lib/pages/kit/look.ts'
import { pageEndpoint } from '../../lib/pages/kit/pageEndpoint.ts'
import { securityAnswer, securityFailure } from '../../lib/pages/security/securityAnswer.ts'
import { queryOfForm } from '../../lib/pages/security/securityForm.ts'
import { securitySignInAnswer } from '../../lib/pages/security/securitySignInAnswer.ts'
import { accountSecuritySubmitDepsFromEnvironment } from '../../lib/runtime/accountSecurity.ts'
import { pageHttpDeps } from '../../lib/runtime/http.ts'
import { askSignIn } from '../../lib/signIn/askSignIn.ts'
import { readOtherTab } from '../../lib/signIn/readOtherTab.ts'
import { submitSignIn } from '../../lib/signIn/submitSignIn.ts'
import { contract } from './contract.ts'

const deps = accountSecuritySubmitDepsFromEnvironment()
const { origin: passkeyOrigin } = deps.relyingParty

type Form = z.output<typeof contract.body>
type SignInForm = Extract<Form, { action: 'login' | 'second_factor' | 'passkey' }>

/** POST /api/account/security: changes passkeys, the authenticator app and recovery codes, or signs in to that. */
export const handler = pageEndpoint(
  pageHttpDeps(),
  async (event, look) => {
    const form = readForm(event, contract.body)
    const { kind, secret } = readOwnForm(event, readSessionCookie(event), form.csrf)
    if (kind === 'other_cookie') return showInOtherTabsSession(event, form, secret)
    return isSignIn(form)
      ? signIn(event, look, { form, secret })
      : change(look, { form: changeOf(form), secret, sourceIp: sourceIpOf(event) })
  },
  securityFailure,
)

/** Another tab signed in after the form was shown: leads to the page in that session. */
async function showInOtherTabsSession({ rawQueryString }: HttpEvent, form: Form, secret: string): Promise<HttpResult> {
  if (!isSignIn(form) || (await readOtherTab(deps, secret)) === undefined) throw foreignToken()
  return seeOther(`?${rawQueryString}`)
}

function isSignIn(form: Form): form is SignInForm {
  return form.action === 'login' || form.action === 'second_factor' || form.action === 'passkey'
}

async function signIn(
  event: HttpEvent,
  look: Look,
  { form, secret }: { form: SignInForm; secret: string },
): Promise<HttpResult> {
  const from = {
    sourceIp: sourceIpOf(event),
    knownBrowser: readKnownBrowserCookie(event),
    userAgent: header(event, 'user-agent'),
    language: look.language,
  }
  const step = await submitSignIn(deps, { secret, signedInFor: undefined }, { ...form, ...from })
  return securitySignInAnswer(look, step, { query: event.rawQueryString, secret, isNew: false, passkeyOrigin })
}

async function change(
  look: Look,
  { form, secret, sourceIp }: { form: SecurityForm; secret: string; sourceIp: string },
): Promise<HttpResult> {
  const session = await readSession(deps, secret)
  const step = session && (await submitSecurity(deps, { visitor: session, form, sourceIp, language: look.language }))
  if (session === undefined || step === undefined || step.step === 'sign_in') {
    const email = session?.user.email
    const visitor = { query: queryOfForm(look, form), secret, isNew: false, passkeyOrigin, email }
    return securitySignInAnswer(look, await askSignIn(deps, secret), visitor)
  }
  const proven = step.step === 'done' ? step.proven : undefined
  const started = proven && (await strengthenSession(deps, session, { proven, replaces: secret }))
  const renewed = started ? { started, maxAgeSeconds: SESSION_SECONDS } : undefined
  return securityAnswer(look, step, { csrf: formToken(secret), uiLocales: look.uiLocales, session: renewed })
}

function changeOf(form: Exclude<Form, SignInForm>): SecurityForm {
  if (form.action !== 'approve_reset') return form
  return { action: form.action, organizationId: form.organization_id, userId: form.user_id }
}
