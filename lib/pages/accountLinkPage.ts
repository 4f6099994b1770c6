import { type Html, html } from '../core/html.ts'
import type { LinkPurpose } from '../mail/accountLinkUrl.ts'
import { messagePage } from './messagePage.ts'
import { page } from './page.ts'

/** The opened link, and the problem of the last submitted password. */
interface AccountLinkForm {
  readonly purpose: LinkPurpose
  readonly token: string
  readonly problem?: string | undefined
}

interface Texts {
  readonly title: string
  readonly lead: string
  readonly button: string
  readonly done: { readonly title: string; readonly text: string }
}

const texts: Record<LinkPurpose, Texts> = {
  verify_email: {
    title: 'Confirm your email address',
    lead: 'Press the button to confirm that this email address is yours.',
    button: 'Confirm email address',
    done: {
      title: 'Email address confirmed',
      text: 'Go back to the application to sign in.',
    },
  },
  change_email: {
    title: 'Confirm your new email address',
    lead: 'Press the button to use this email address for your account.',
    button: 'Confirm new email address',
    done: { title: 'Email address changed', text: 'Use your new email address to sign in from now on.' },
  },
  reset_password: {
    title: 'Choose a new password',
    lead: 'You will be signed out on all devices.',
    button: 'Set password',
    done: {
      title: 'Password changed',
      text: 'Go back to the application to sign in with your new password.',
    },
  },
  invitation: {
    title: 'Accept the invitation',
    lead: 'Sign in with the invited email address to join the organization.',
    button: 'Sign in and accept',
    done: { title: 'Welcome', text: 'You are now a member of the organization. You can close this page.' },
  },
}

/** The page behind a link in a mail. Nothing changes until its button is pressed, because mail programs open links. */
export function accountLinkPage({ purpose, token, problem }: AccountLinkForm): string {
  const { title, lead, button } = texts[purpose]
  const notice = problem !== undefined && html`<p class="notice bad" id="problem" role="alert">${problem}</p>`
  return page({
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${lead}</p>
${notice}
<form method="post" action="/api/auth/link">
<input type="hidden" name="purpose" value="${purpose}">
<input type="hidden" name="token" value="${token}">
${fieldsOf(purpose, problem)}
<button type="submit">${button}</button>
</form>`,
  })
}

function fieldsOf(purpose: LinkPurpose, problem: string | undefined): Html | undefined {
  if (purpose === 'reset_password') return newPasswordField(problem)
  return purpose === 'invitation' ? credentialFields : undefined
}

function newPasswordField(problem: string | undefined): Html {
  const invalid = problem !== undefined && html` aria-invalid="true"`
  const describedBy = problem === undefined ? 'rule' : 'problem rule'
  return html`<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="8" required aria-describedby="${describedBy}"${invalid}>
<p class="hint" id="rule">Use at least 8 characters. A few words that you don’t use elsewhere work well.</p>`
}

const credentialFields = html`<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>`

/** The page after a link was used. */
export function accountLinkDone(purpose: LinkPurpose): string {
  return messagePage(texts[purpose].done)
}
