import { displayAddress } from '../core/displayAddress.ts'
import { html } from '../core/html.ts'
import type { Look } from './look.ts'
import { type Page, page } from './page.ts'

/** The content of the consent form. */
interface ConsentForm {
  readonly clientName: string
  /** Of the signed-in user. */
  readonly email: string
  readonly scopes: readonly string[]
  /** The origin that the user is redirected to, or the scheme of an app. */
  readonly returnsTo: string
  readonly action: string
  readonly csrf: string
}

/**
 * Asks whether a client may act for the user. Lists the same permissions for all scopes, because no operation of the API requires
 * a scope.
 */
export function consentPage(look: Look, { clientName, email, scopes, returnsTo, action, csrf }: ConsentForm): Page {
  const { consent } = look.texts
  const hidden = html`<input type="hidden" name="csrf" value="${csrf}">`
  const scopeList = html`<p class="scopes">${consent.scopes} ${scopes.map((scope) => html`<code>${scope}</code> `)}</p>`
  return page(look, {
    title: consent.title(clientName),
    body: html`<h1>${consent.heading(clientName)}</h1>
<p class="lead">${consent.redirect(destination(look, returnsTo))}</p>
<form class="account" method="post" action="${action}">
${hidden}
<p>${consent.signedInAs(displayAddress(email))}</p>
<button class="link" type="submit" name="action" value="switch">${consent.switchAccount}</button>
</form>
<p>${consent.itCan}</p>
<ul>
${consent.permissions.map(
  (permission) => html`<li>${permission}</li>
`,
)}</ul>
${scopes.length > 0 && scopeList}
<form class="actions" method="post" action="${action}">
${hidden}
<button type="submit" name="action" value="allow">${consent.allow}</button>
<button class="plain" type="submit" name="action" value="deny">${consent.deny}</button>
</form>
<p class="hint">${consent.warning}</p>`,
  })
}

/** A loopback address or a scheme means nothing to most people, and may belong to any program. */
function destination({ texts }: Look, returnsTo: string) {
  const { host, protocol } = new URL(returnsTo)
  if (protocol === 'https:') return html`<strong>${host}</strong>`
  return texts.consent.thisDevice(host || protocol.slice(0, -1))
}
