import { displayAddress } from '../../core/displayAddress.ts'
import { type Html, html } from '../../core/html.ts'
import type { AuthorizeStep } from '../../oauth/authorize/authorize.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { page, type WebPage } from '../kit/page.ts'

/** The content of the consent form. */
interface ConsentForm extends Omit<Extract<AuthorizeStep, { step: 'consent' }>, 'step' | 'returnsTo'> {
  /** What happens when the user allows it, or who asks. */
  readonly lead: Html
  readonly action: string
  readonly csrf: string
  /** More hidden fields, to be sent with the answer. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Asks if a client may act for the user, and explains each scope. */
export function consentPage(look: Look, form: ConsentForm): WebPage {
  const { clientName, email, scopes, firstParty, lead, action, csrf, fields = {} } = form
  const { consent } = look.texts
  const hidden = hiddenFields({ csrf })
  const permissions = firstParty ? consent.permissions : scopes.map((scope) => consent.scopes[scope])
  return page(look, {
    title: consent.title(clientName),
    body: html`<h1>${consent.heading(clientName)}</h1>
${lead}
<form class="account" method="post" action="${action}">
${hidden}<p>${consent.signedInAs(displayAddress(email))}</p>
<button class="link" type="submit" name="action" value="switch">${consent.switchAccount}</button>
</form>
${permissions.length > 0 ? list(consent.itCan, permissions) : html`<p>${consent.nothing}</p>`}
<form class="actions" method="post" action="${action}">
${hidden}${hiddenFields(fields)}<button type="submit" name="action" value="allow">${consent.allow}</button>
<button class="plain" type="submit" name="action" value="deny">${consent.deny}</button>
</form>
<p class="hint">${consent.warning}</p>`,
  })
}

function list(lead: string, permissions: readonly string[]) {
  return html`<p>${lead}</p>
<ul>
${permissions.map(
  (permission) => html`<li>${permission}</li>
`,
)}</ul>`
}

/** Says where the browser goes after the user's answer. */
export function redirectLead(look: Look, returnsTo: string): Html {
  return html`<p class="lead">${look.texts.consent.redirect(destination(look, returnsTo))}</p>`
}

/** A loopback address or a scheme means nothing to most people, and may belong to any program. */
function destination({ texts }: Look, returnsTo: string) {
  const { host, protocol } = new URL(returnsTo)
  if (protocol === 'https:') return html`<strong>${host}</strong>`
  return texts.consent.thisDevice(host || protocol.slice(0, -1))
}
