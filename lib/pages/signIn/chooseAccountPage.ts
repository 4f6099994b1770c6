import { displayAddress } from '../../core/displayAddress.ts'
import { html } from '../../core/html.ts'
import type { AuthorizeStep } from '../../oauth/authorize/authorize.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { page, type WebPage } from '../kit/page.ts'

/** The content of the form. */
type ChooseAccountForm = Omit<Extract<AuthorizeStep, { step: 'choose_account' }>, 'step'> & {
  /** The form's target, including its query. */
  readonly action: string
  /** Made by `formToken`. */
  readonly csrf: string
}

/** Names the account that is signed in: the user goes on with it if the request allows that, or changes it. */
export function chooseAccountPage(look: Look, { reason, clientName, email, action, csrf }: ChooseAccountForm): WebPage {
  const { chooseAccount, consent } = look.texts
  const { title, lead } = chooseAccount[reason]
  const change = html`<button${reason === 'select_account' && html` class="plain"`} type="submit" name="action" value="switch">${consent.switchAccount}</button>`
  return page(look, {
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${lead(clientName)}</p>
<div class="account"><p>${consent.signedInAs(displayAddress(email))}</p></div>
<form class="actions" method="post" action="${action}">
${hiddenFields({ csrf })}${
  reason === 'select_account'
    ? html`<button type="submit" name="action" value="continue">${chooseAccount.continue}</button>
${change}`
    : html`${change}
<button class="plain" type="submit" name="action" value="deny">${chooseAccount.back(clientName)}</button>`
}
</form>`,
  })
}
