import type { SecurityStep } from '../authenticators/security/securityStep.ts'
import { html } from '../core/html.ts'
import type { Look } from './kit/look.ts'
import { type Page, page } from './kit/page.ts'
import { buttonForm, formatDay, type SecurityPlace, securityPath } from './security/securityForm.ts'
import { page, type WebPage } from './kit/page.ts'

/** Shows an owner who asks for the removal of lost second factors, and lets them approve it. */
export function factorResetPage(
  look: Look,
  step: Extract<SecurityStep, { step: 'reset' }>,
  place: SecurityPlace,
): WebPage {
  const { reset: words, cancel } = look.texts.security
  const { organization, member, requestedAt, state, userId } = step
  const fields = { organization_id: organization.id, user_id: userId }
  return page(look, {
    title: words.title,
    body: html`<h1>${words.title}</h1>
<p>${words.asks(member.username, member.email, organization.name)} ${words.requested(formatDay(requestedAt, look.language))}</p>
${
  state === 'awaiting_approval'
    ? html`<p class="notice bad">${words.warning}</p>
${buttonForm(place, { action: 'approve_reset', label: words.approve, fields })}`
    : html`<p class="notice good">${words.approved}</p>`
}
<p class="after"><a href="${securityPath(place)}">${cancel}</a></p>`,
  })
}
