import { type Html, html } from '../../core/html.ts'
import type { AccountFormPurpose } from '../../mail/accountLinkUrl.ts'
import { accountFormPath } from '../../users/links/accountForm.ts'
import type { AccountFormProblems } from '../../users/ports.ts'
import { emailField, hiddenFields, passwordField, usernameField } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { linkToSignIn, type NextStep } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'

/** The state of a form: empty, or as last submitted, without its password. */
export interface AccountForm {
  readonly purpose: AccountFormPurpose
  /** Made by `formToken`. */
  readonly csrf: string
  /** The query of the authorization request that the form leads back to; empty if there is none. */
  readonly request?: string | undefined
  readonly email?: string
  readonly username?: string
  readonly problems?: AccountFormProblems
  /** Replaces the first words of the page: why the user needs another link. */
  readonly opening?: { readonly title: string; readonly text: string }
}

/** The page of a form that sends a mail. The query in its action lets the error page link back to the form. */
export function accountFormPage(look: Look, form: AccountForm): WebPage {
  const { purpose, csrf, request = '', problems = {}, opening } = form
  const { title, lead, button } = look.texts.forms[purpose]
  const isRegistration = purpose === 'register'
  return page(look, {
    title: opening?.title ?? title,
    hasProblem: Object.keys(problems).length > 0,
    hasPassword: isRegistration,
    body: html`<h1>${opening?.title ?? title}</h1>
<p class="lead">${opening?.text ?? lead}</p>
<form method="post" action="${accountFormPath(purpose, request)}" novalidate>
${hiddenFields({ csrf, purpose, request })}
${fieldsOf(look, form)}
<button type="submit">${button}</button>
</form>
<p class="after">${isRegistration && html`${look.texts.signIn.haveAccount} `}${linkTo(linkToSignIn(look, request))}</p>`,
  })
}

function fieldsOf(look: Look, { purpose, email = '', username = '', problems = {} }: AccountForm): Html {
  const isRegistration = purpose === 'register'
  const focus = (['email', 'username', 'password'] as const).find((name) => problems[name] !== undefined)
  const hasFocus = (name: string) => name === (focus ?? (email === '' || !isRegistration ? 'email' : 'password'))
  return html`${emailField(look, { value: email, problem: problems.email, hasFocus: hasFocus('email') })}
${isRegistration && usernameField(look, { value: username, problem: problems.username, hasFocus: hasFocus('username') })}
${isRegistration && passwordField(look, { kind: 'new', problem: problems.password, hasFocus: hasFocus('password') })}`
}

function linkTo({ label, href }: NextStep): Html {
  return html`<a href="${href}">${label}</a>`
}
