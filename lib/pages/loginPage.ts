import { formatDuration } from '../core/formatDuration.ts'
import { html } from '../core/html.ts'
import type { LoginProblem } from '../oauth/ports.ts'
import { accountFormPath } from '../users/accountForm.ts'
import { page } from './page.ts'

/** The content of the sign-in form. */
interface LoginForm {
  readonly clientName: string
  readonly email: string
  readonly problem?: LoginProblem | undefined
  /** The form's target, including its query. */
  readonly action: string
  /** Made by `formToken`. */
  readonly csrf: string
}

/** The sign-in page, with the problem of the last attempt. */
export function loginPage({ clientName, email, problem, action, csrf }: LoginForm): string {
  const isWrong = problem?.code === 'wrong_credentials'
  const notice = problem && html`<p class="notice bad" id="problem" role="alert">${problemText(problem)}</p>`
  const invalid = isWrong && html` aria-invalid="true" aria-describedby="problem"`
  // On the first empty field.
  const focus = html` autofocus`
  return page({
    title: isWrong ? 'Sign-in failed' : 'Sign in',
    body: html`<h1>Sign in</h1>
<p class="lead">to continue to <strong>${clientName}</strong></p>
${notice}
<form method="post" action="${action}">
<input type="hidden" name="csrf" value="${csrf}">
<input type="hidden" name="action" value="login">
<label for="email">Email address</label>
<input id="email" name="email" type="email" value="${email}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required${invalid}${email === '' && focus}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${invalid}${email !== '' && focus}>
<button type="submit">Sign in</button>
</form>
<p class="hint"><a href="${accountFormPath('forgot_password')}">Forgot password?</a></p>
<p class="hint">No account yet? <a href="${accountFormPath('register')}">Create an account</a></p>`,
  })
}

function problemText(problem: LoginProblem): string {
  if (problem.code === 'wrong_credentials') return 'Incorrect email address or password.'
  const { retryAfterSeconds } = problem
  const wait =
    retryAfterSeconds < 60 ? `${retryAfterSeconds}\u00a0s` : formatDuration(Math.ceil(retryAfterSeconds / 60), 'en')
  return `Too many attempts. Try again in ${wait}.`
}
