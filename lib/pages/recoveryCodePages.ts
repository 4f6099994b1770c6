import { html } from '../core/html.ts'
import type { Look } from './kit/look.ts'
import { page, type WebPage } from './kit/page.ts'
import { buttonForm, type SecurityPlace, securityPath } from './security/securityForm.ts'

/** Makes recovery codes, with a warning where they replace others. */
export function recoveryCodesPage(
  look: Look,
  { left = 0 }: { left: number | undefined },
  place: SecurityPlace,
): WebPage {
  const { codes: words, cancel } = look.texts.security
  return page(look, {
    title: words.title,
    body: html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<p>${left > 0 ? words.left(left) : words.none}</p>
${left > 0 && html`<p class="notice bad">${words.replaceWarning}</p>`}
${buttonForm(place, { action: 'create_codes', label: left > 0 ? words.replace : words.create })}
<p class="after"><a href="${securityPath(place)}">${cancel}</a></p>`,
  })
}

/** Shows new codes, once: to print, to select and copy, and as a file, all without script. */
export function newRecoveryCodesPage(look: Look, codes: readonly string[], place: SecurityPlace): WebPage {
  const { newCodes: words } = look.texts.security
  const text = codes.join('\n')
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${look.branding.name}: ${words.title}\n\n${text}\n`)}`
  return page(look, {
    title: words.title,
    body: html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<textarea class="codes" rows="${codes.length}" aria-label="${words.copy}" autocomplete="off" spellcheck="false" readonly>
${text}</textarea>
<a class="button plain" href="${file}" download="${words.file}">${words.download}</a>
<a class="button" href="${securityPath(place)}">${words.stored}</a>`,
  })
}
