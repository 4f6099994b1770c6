import { displayAddress } from '../../core/displayAddress.ts'
import { html } from '../../core/html.ts'
import { SECURITY_PATH } from '../../mail/securityUrl.ts'
import type { AuthorizeStep } from '../../oauth/authorize/authorize.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { page, type WebPage } from '../kit/page.ts'

/** The content of the form. */
type AddFactorForm = Pick<Extract<AuthorizeStep, { step: 'add_factor' }>, 'organizations' | 'email'> & {
  /** The form's target, including its query. */
  readonly action: string
  /** Made by `formToken`. */
  readonly csrf: string
}

/** Leads a user to add the second factor that organizations require. The user may go on without one, to everything else. */
export function addFactorPage(look: Look, { organizations, email, action, csrf }: AddFactorForm): WebPage {
  const { addFactor, consent } = look.texts
  return page(look, {
    title: addFactor.title,
    body: html`<h1>${addFactor.title}</h1>
<p class="lead">${addFactor.lead(organizations)}</p>
<p>${addFactor.untilThen}</p>
<div class="account"><p>${consent.signedInAs(displayAddress(email))}</p></div>
<form class="actions" method="post" action="${action}">
${hiddenFields({ csrf })}<a class="button" href="${SECURITY_PATH}">${addFactor.link}</a>
<button class="plain" type="submit" name="action" value="continue">${addFactor.notNow}</button>
</form>`,
  })
}
