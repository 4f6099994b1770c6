import type { SecurityStep } from '../../authenticators/security/securityStep.ts'
import { type Html, html } from '../../core/html.ts'
import { accountFormPath } from '../../users/links/accountForm.ts'
import type { Look } from '../kit/look.ts'
import { page, type WebPage } from '../kit/page.ts'
import passkeyRegistration from '../scripts/passkeyRegistration.json' with { type: 'json' }
import { buttonForm, type SecurityPlace, securityFields, securityPath } from './securityForm.ts'

type Step<Name extends SecurityStep['step']> = Extract<SecurityStep, { step: Name }>

const MAX_NAME = 64

function backLink({ texts }: Look, place: SecurityPlace): Html {
  return html`<p class="after"><a href="${securityPath(place)}">${texts.security.cancel}</a></p>`
}

/** Names a passkey, and has the browser make it. When its script runs, the form replaces the notice that script is needed. */
export function newPasskeyPage(look: Look, { options, others }: Step<'new_passkey'>, place: SecurityPlace): WebPage {
  const { newPasskey: words } = look.texts.security
  const problems = ['unsupported', 'failed', 'existing', 'address'] as const
  return page(look, {
    title: words.title,
    script: passkeyRegistration.script,
    body: html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<p class="notice bad" data-problem="noscript">${words.noscript}</p>
<div role="alert">${problems.map((name) => html`<p class="notice bad" data-problem="${name}" hidden>${words[name]}</p>`)}</div>
<form id="passkey" method="post" action="${securityPath(place)}" data-options="${JSON.stringify(options)}" hidden>
${securityFields(place, 'finish_passkey', { response: '' })}${nameField(words.name, { value: words.defaultName(others + 1) })}
<button type="submit">${words.button}</button>
</form>
${backLink(look, place)}`,
  })
}

/** Renames a passkey or removes it. */
export function passkeyPage(look: Look, { passkey, name, problem }: Step<'passkey'>, place: SecurityPlace): WebPage {
  const { passkey: words, newPasskey, problems } = look.texts.security
  const { id } = passkey
  return page(look, {
    title: `${words.title}: ${passkey.name}`,
    hasProblem: problem !== undefined,
    body: html`<h1>${passkey.name}</h1>
<form method="post" action="${securityPath(place)}">
${securityFields(place, 'rename_passkey', { id })}${nameField(newPasskey.name, { value: name, problem: problem && problems[problem] })}
<button type="submit">${words.rename}</button>
</form>
<h2>${words.removeTitle}</h2>
<p class="section-lead">${words.removeLead} ${words.last}</p>
${buttonForm(place, { action: 'remove_passkey', label: words.remove, kind: 'danger', fields: { id } })}
${backLink(look, place)}`,
  })
}

function nameField(label: string, { value, problem }: { value: string; problem?: string | undefined }): Html {
  return html`<label for="name">${label}</label>
<input id="name" name="name" value="${value}" maxlength="${MAX_NAME}" autocomplete="off" required${problem !== undefined && html` aria-invalid="true" aria-describedby="name-problem" autofocus`}>
${problem !== undefined && html`<p class="problem" id="name-problem" role="alert">${problem}</p>`}`
}

/** Shows the key of a new authenticator app, and asks for a code of it. */
export function newTotpPage(look: Look, { secret, qrCode, problem }: Step<'new_totp'>, place: SecurityPlace): WebPage {
  const { newTotp: words, problems } = look.texts.security
  const key = (secret.match(/.{1,4}/g) ?? []).join(' ')
  const invalid = problem !== undefined && html` aria-invalid="true" aria-describedby="code-problem"`
  return page(look, {
    title: words.title,
    hasProblem: problem !== undefined,
    body: html`<h1>${words.title}</h1>
<p class="lead">${words.scan}</p>
${qrImage(qrCode, words.qrCode)}
<p class="section-lead">${words.key}</p>
<code class="key">${key}</code>
<form method="post" action="${securityPath(place)}" novalidate>
${securityFields(place, 'confirm_totp')}<label for="code">${words.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required${invalid}${problem !== undefined && html` autofocus`}>
${problem !== undefined && html`<p class="problem" id="code-problem" role="alert">${problems[problem]}</p>`}
<button type="submit">${words.button}</button>
</form>
${backLink(look, place)}`,
  })
}

/** Removes the authenticator app. */
export function totpPage(look: Look, place: SecurityPlace): WebPage {
  const { totp: words } = look.texts.security
  return page(look, {
    title: words.removeTitle,
    body: html`<h1>${words.removeTitle}</h1>
<p class="lead">${words.removeLead}</p>
${buttonForm(place, { action: 'remove_totp', label: words.remove, kind: 'danger' })}
${backLink(look, place)}`,
  })
}

/** Disconnects a provider, or says why it cannot be. */
export function providerPage(look: Look, { provider }: Step<'provider'>, place: SecurityPlace): WebPage {
  const { providers: words } = look.texts.security
  const { id, name, isOnlyWay } = provider
  const title = words.disconnectTitle(name)
  return page(look, {
    title,
    body: html`<h1>${title}</h1>
${
  isOnlyWay
    ? html`<p class="lead">${words.onlyWay(name)}</p>
<a class="button" href="${accountFormPath('forgot_password')}">${words.choosePassword}</a>`
    : html`<p class="lead">${words.disconnectLead(name)}</p>
${buttonForm(place, { action: 'disconnect_provider', label: words.disconnect, kind: 'danger', fields: { id } })}`
}
${backLink(look, place)}`,
  })
}

/** Light modules around a code, without which cameras do not find it (ISO/IEC 18004 §6.3.8). */
const QUIET_ZONE = 4

/** A QR code as an image of its modules, dark on light in dark mode too. @param label what it is, for screen readers */
function qrImage(modules: readonly (readonly boolean[])[], label: string): Html {
  const size = modules.length + 2 * QUIET_ZONE
  const squares = modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`] : [])),
  )
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"></rect><path fill="#000" d="${squares.join('')}"></path></svg>`
}

/** Makes recovery codes, with a warning if they replace others. */
export function recoveryCodesPage(
  look: Look,
  { left = 0 }: { left: number | undefined },
  place: SecurityPlace,
): WebPage {
  const { codes: words } = look.texts.security
  return page(look, {
    title: words.title,
    body: html`<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<p>${left > 0 ? words.left(left) : words.none}</p>
${left > 0 && html`<p class="notice bad">${words.replaceWarning}</p>`}
${buttonForm(place, { action: 'create_codes', label: left > 0 ? words.replace : words.create })}
${backLink(look, place)}`,
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
