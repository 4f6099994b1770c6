import type { SecurityForm } from '../../authenticators/security/securityStep.ts'
import { type Html, html } from '../../core/html.ts'
import type { Language } from '../../core/language.ts'
import { approvalQuery, SECURITY_PATH } from '../../mail/securityUrl.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'

/** The target and the protection of the forms on the pages of authenticators. */
export interface SecurityPlace {
  /** Made by `formToken`. */
  readonly csrf: string
  /** From the request of the page; its links and forms keep it. */
  readonly uiLocales: string | undefined
}

/** The address of a page of authenticators, in the language of the page that leads to it. */
export function securityPath(
  { uiLocales }: Pick<SecurityPlace, 'uiLocales'>,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const query = withLocales(new URLSearchParams(parameters), uiLocales)
  return query === '' ? SECURITY_PATH : `${SECURITY_PATH}?${query}`
}

function withLocales(query: URLSearchParams, uiLocales: string | undefined): string {
  if (uiLocales !== undefined) query.set('ui_locales', uiLocales)
  return query.toString()
}

/** The hidden fields of every form, with those of this form. */
export function securityFields(
  { csrf }: SecurityPlace,
  action: SecurityForm['action'],
  fields: Readonly<Record<string, string>> = {},
): Html[] {
  return hiddenFields({ csrf, action, ...fields })
}

/** A form that is just a button. */
export function buttonForm(
  place: SecurityPlace,
  {
    action,
    label,
    kind,
    fields,
  }: {
    readonly action: SecurityForm['action']
    readonly label: string
    readonly kind?: 'plain' | 'danger'
    readonly fields?: Readonly<Record<string, string>>
  },
): Html {
  return html`<form method="post" action="${securityPath(place)}">
${securityFields(place, action, fields)}<button${kind !== undefined && html` class="${kind}"`} type="submit">${label}</button>
</form>`
}

/** A day, in UTC: `22 Nov 2026`. */
export function formatDay(milliseconds: number, language: Language): string {
  const locale = language === 'en' ? 'en-GB' : language
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(milliseconds)
}

/** The query of the page that a form is on, to return to after a sign-in. The user's input is not kept. */
export function queryOfForm({ uiLocales }: Pick<Look, 'uiLocales'>, form: SecurityForm): string {
  return withLocales(new URLSearchParams(pageOfForm(form)), uiLocales)
}

function pageOfForm(form: SecurityForm): string | Record<string, string> {
  if (form.action === 'approve_reset') return approvalQuery(form)
  if (form.action === 'rename_passkey' || form.action === 'remove_passkey') return { view: 'passkey', id: form.id }
  if (form.action === 'disconnect_provider') return { view: 'provider', id: form.id }
  if (form.action === 'remove_totp') return { view: 'totp' }
  return form.action === 'create_codes' ? { view: 'codes' } : {}
}
