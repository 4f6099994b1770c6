import { type Html, html } from '../../core/html.ts'
import type { OpenedLink } from '../../users/links/openLink.ts'
import type { ResetOption } from '../../users/links/removableAuthenticators.ts'
import type { Look } from '../kit/look.ts'

const FIELD = 'remove.'

/** The ids of the authenticators that a form removes. */
export function removedIn(form: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(form).flatMap((name) => (name.startsWith(FIELD) ? [name.slice(FIELD.length)] : []))
}

/** What a reset of the password may remove, ticked, and what it leaves; nothing if the account has no authenticators. */
export function removalChoice(
  look: Look,
  {
    authenticators,
    removed,
  }: Pick<OpenedLink, 'authenticators'> & { readonly removed?: readonly string[] | undefined },
): Html | false {
  const { legend, lead, older } = look.texts.ownAuthenticators
  const recent = authenticators.filter(({ isRemovable }) => isRemovable)
  const others = authenticators.filter(({ isRemovable }) => !isRemovable)
  if (authenticators.length === 0) return false
  const isTicked = ({ id }: ResetOption) => removed?.includes(id) ?? true
  const rows = recent.map(
    (
      one,
    ) => html`<label class="choice"><input type="checkbox" name="${FIELD + one.id}" value="1"${isTicked(one) && html` checked`}>${facts(look, one)}</label>
`,
  )
  return html`${
    recent.length > 0 &&
    html`<fieldset>
<legend>${legend}</legend>
<p class="section-lead">${lead}</p>
${rows}</fieldset>
`
  }${
    others.length > 0 &&
    html`<p class="section-lead">${older}</p>
<ul class="items">${others.map((one) => html`<li>${facts(look, one)}</li>`)}</ul>
`
  }`
}

/** What a link removes. What was removed meanwhile is named as it was added. */
export function removedList(look: Look, { authenticators, link }: Pick<OpenedLink, 'authenticators' | 'link'>): Html {
  const added = link.added && { ...link.added, id: '', browser: undefined, sourceIp: undefined, isRemovable: true }
  const rows = authenticators.length > 0 || added === undefined ? authenticators : [added]
  return html`<ul class="items">${rows.map((one) => html`<li>${facts(look, one)}</li>`)}</ul>`
}

/** When and from where it was added. */
function facts({ texts, language }: Look, { type, name, at, browser, sourceIp }: ResetOption): Html {
  const { names, passkey, added, from } = texts.ownAuthenticators
  const title = type === 'passkey' ? passkey(name ?? '') : names[type]
  const places = [browser, sourceIp].filter((one) => one !== undefined)
  return html`<span><strong>${title}</strong><small>${added(formatTime(at, language))}${places.length > 0 && ` · ${from(places.join(', '))}`}</small></span>`
}

/** A minute in UTC: `22 Nov 2026, 08:15`. */
function formatTime(milliseconds: number, language: Look['language']): string {
  const locale = language === 'en' ? 'en-GB' : language
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(
    milliseconds,
  )
}
