import { type Html, html } from '../core/html.ts'
import { type AccountFormProblems, type AccountFormPurpose, accountFormPath } from '../users/accountForm.ts'
import { page } from './page.ts'

/** The state of a form: empty, or as last submitted, without its password. */
export interface AccountForm {
  readonly purpose: AccountFormPurpose
  /** Made by `formToken`. */
  readonly csrf: string
  readonly email?: string
  readonly username?: string
  readonly problems?: AccountFormProblems
}

const texts: Record<AccountFormPurpose, { title: string; lead: string; button: string }> = {
  forgot_password: {
    title: 'Forgot your password?',
    lead: 'Enter the email address of your account. We’ll send you a link to choose a new password.',
    button: 'Send link',
  },
  register: {
    title: 'Create an account',
    lead: 'We’ll send a link to your email address to confirm that it’s yours.',
    button: 'Create account',
  },
}

/** The page of a form that sends a mail. The query in its action lets the error page link back to the form. */
export function accountFormPage(form: AccountForm): string {
  const { purpose, csrf, problems = {} } = form
  const { title, lead, button } = texts[purpose]
  const notices = Object.entries(problems).map(
    ([name, problem]) => html`<p class="notice bad" id="${name}-problem" role="alert">${problem}</p>`,
  )
  return page({
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
${notices}
<form method="post" action="${accountFormPath(purpose)}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="purpose" value="${purpose}">
${emailField(form)}
${purpose === 'register' && newAccountFields(form)}
<button type="submit">${button}</button>
</form>`,
  })
}

function emailField({ email = '', problems }: AccountForm): Html {
  return html`<label for="email">Email address</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required${described('email', problems?.email)}>`
}

function newAccountFields({ username = '', problems }: AccountForm): Html {
  return html`<label for="username">Username</label>
<input id="username" name="username" value="${username}" autocomplete="nickname" autocapitalize="none" spellcheck="false" minlength="3" maxlength="32" required${described('username', problems?.username, 'username-rule')}>
<p class="hint" id="username-rule">Others can see it. Use 3 to 32 letters and digits, with dots, hyphens or underscores in between.</p>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required${described('password', problems?.password, 'password-rule')}>
<p class="hint" id="password-rule">Use at least 8 characters. A few words that you don’t use elsewhere work well.</p>`
}

function described(name: string, problem: string | undefined, rule?: string): Html {
  const ids = [...(problem === undefined ? [] : [`${name}-problem`]), ...(rule === undefined ? [] : [rule])]
  const invalid = problem !== undefined && html` aria-invalid="true"`
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${invalid}`
}
