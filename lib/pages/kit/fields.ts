import { type Html, html } from '../../core/html.ts'
import type { Texts } from '../../texts/texts.ts'
import { passwordProblemText } from '../../users/password/goodPassword.ts'
import type { PasswordAdvice } from '../../users/passwordAdvice.ts'
import type { Look } from './look.ts'

/** The problem of a field. */
export type FieldProblem = keyof Texts['problems'] | PasswordAdvice

/** The state of a field: its last value, and its problem if it has any. */
interface Field {
  readonly value?: string
  readonly problem?: FieldProblem | undefined
  /** The id of a notice about the problems of several fields. */
  readonly noticeId?: string | undefined
  /** Whether the page opens with the cursor here: at the first problem, else at the first empty field. */
  readonly hasFocus?: boolean
}

/** The hidden fields of a form, each on its line. */
export function hiddenFields(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  )
}

/** The field of an email address. @param hasPasskey whether the browser offers the user's passkeys there */
export function emailField(
  look: Look,
  { value = '', hasPasskey = false, ...field }: Field & { readonly hasPasskey?: boolean },
): Html {
  return html`<label for="email">${look.texts.fields.email}</label>
<input id="email" name="email" type="email" value="${value}" autocomplete="${hasPasskey ? 'username webauthn' : 'username'}" autocapitalize="none" spellcheck="false" maxlength="254" required${described('email', field)}>
${problemOf(look, 'email', field)}`
}

/** The field of a new username. */
export function usernameField(look: Look, { value = '', ...field }: Field): Html {
  const { username, usernameRule } = look.texts.fields
  return html`<label for="username">${username}</label>
<input id="username" name="username" value="${value}" autocomplete="nickname" autocapitalize="none" spellcheck="false" maxlength="32" required${described('username', field, 'username-rule')}>
${problemOf(look, 'username', field) || html`<p class="hint" id="username-rule">${usernameRule}</p>`}`
}

/** The field of a password, with a button that shows it: for a page that `hasPassword`. Never holds a value. */
export function passwordField(
  look: Look,
  { kind, ...field }: Omit<Field, 'value'> & { kind: 'current' | 'new' | 'reset' },
): Html {
  const { password, newPassword, passwordRule } = look.texts.fields
  const isNew = kind !== 'current'
  return html`<label for="password">${kind === 'reset' ? newPassword : password}</label>
<div class="field">
<input id="password" name="password" type="password" autocomplete="${isNew ? 'new-password' : 'current-password'}" required${described('password', field, isNew ? 'password-rule' : undefined)}>
${showButton(look)}
</div>
${problemOf(look, 'password', field) || (isNew && html`<p class="hint" id="password-rule">${passwordRule}</p>`)}`
}

/** Hidden until the script of the page finds it. Its name stays; when it is pressed, the password shows. */
function showButton({ texts }: Look): Html {
  const { showPassword } = texts.fields
  return html`<button class="show" type="button" aria-controls="password" aria-pressed="false" title="${showPassword}" hidden><span class="spoken">${showPassword}</span><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z"></path><circle cx="12" cy="12" r="3"></circle><path class="slash" d="M4 20 20 4"></path></svg></button>`
}

function problemOf({ texts }: Look, name: string, { problem }: Field): Html | false {
  return (
    problem !== undefined && html`<p class="problem" id="${name}-problem" role="alert">${textOf(texts, problem)}</p>`
  )
}

function textOf(texts: Texts, problem: FieldProblem): string {
  return typeof problem === 'string' ? texts.problems[problem] : passwordProblemText(texts, problem)
}

/** A problem replaces the rule: it repeats the rule, or names another problem. */
function described(name: string, { problem, noticeId, hasFocus = false }: Field, rule?: string): Html {
  const id = noticeId ?? (problem === undefined ? rule : `${name}-problem`)
  const invalid = (problem ?? noticeId) !== undefined && html` aria-invalid="true"`
  const focus = hasFocus && html` autofocus`
  return html`${id !== undefined && html` aria-describedby="${id}"`}${invalid}${focus}`
}
