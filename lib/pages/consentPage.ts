import { html } from '../core/html.ts'
import { page } from './page.ts'

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
export function consentPage({ clientName, email, scopes, returnsTo, action, csrf }: ConsentForm): string {
  const hidden = html`<input type="hidden" name="csrf" value="${csrf}">`
  const scopeList = html`<p class="scopes">Requested scopes: ${scopes.map((scope) => html`<code>${scope}</code> `)}</p>`
  return page({
    title: `Allow ${clientName}?`,
    body: html`<h1>Allow ${clientName} to use your account?</h1>
<p class="lead">You will be redirected to ${destination(returnsTo)}.</p>
<form class="account" method="post" action="${action}">
${hidden}
<p>Signed in as <strong>${email}</strong></p>
<button class="link" type="submit" name="action" value="switch">Use another account</button>
</form>
<p>It acts on your behalf and can:</p>
<ul>
<li>see and change your profile</li>
<li>see your organizations and, depending on your role, manage their members, purchases and subscriptions</li>
</ul>
${scopes.length > 0 && scopeList}
<form class="actions" method="post" action="${action}">
${hidden}
<button type="submit" name="action" value="allow">Allow</button>
<button class="plain" type="submit" name="action" value="deny">Cancel</button>
</form>
<p class="hint">It never sees your password. Allow it only if you trust it and started this yourself.</p>`,
  })
}

/** A loopback address or a scheme means nothing to most people, and may belong to any program. */
function destination(returnsTo: string) {
  const { host, protocol } = new URL(returnsTo)
  if (protocol === 'https:') return html`<strong>${host}</strong>`
  return html`an app on this device (<strong>${host || protocol.slice(0, -1)}</strong>)`
}
