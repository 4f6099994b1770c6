import type { Overview, PendingReset, SecurityStep } from '../../authenticators/security/securityStep.ts'
import { displayAddress } from '../../core/displayAddress.ts'
import { ServiceError } from '../../core/errors.ts'
import { type Html, html } from '../../core/html.ts'
import { seeOther } from '../../http/answer/answer.ts'
import type { HttpResult } from '../../http/contract.ts'
import type { SessionChange } from '../../oauth/session/session.ts'
import { errorPage, type Failure, retryPage } from '../kit/errorPage.ts'
import type { Look } from '../kit/look.ts'
import { messagePage } from '../kit/messagePage.ts'
import { applicationStep } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'
import { sessionCookies } from '../signIn/signInForm.ts'
import {
  newPasskeyPage,
  newRecoveryCodesPage,
  newTotpPage,
  passkeyPage,
  providerPage,
  recoveryCodesPage,
  totpPage,
} from './securityChangePages.ts'
import { buttonForm, formatDay, type SecurityPlace, securityPath } from './securityForm.ts'

/** The answer of the pages of authenticators to a user who is signed in for it: a page, or a redirect after a change. */
export function securityAnswer(
  look: Look,
  step: Exclude<SecurityStep, { step: 'sign_in' }>,
  place: SecurityPlace & { readonly session?: SessionChange | undefined },
): HttpResult {
  if (step.step === 'done') return seeOther(securityPath(place, { done: step.done }), sessionCookies(place.session))
  if (step.step === 'no_reset') {
    const { gone } = look.texts.security.reset
    return pageAnswer(look, { status: 400, page: messagePage(look, { ...gone, next: applicationStep(look) }) })
  }
  const mayHaveProblem = step.step === 'overview' || step.step === 'passkey' || step.step === 'new_totp'
  const hasProblem = mayHaveProblem && step.problem !== undefined
  return pageAnswer(look, { status: hasProblem ? 422 : 200, page: pageOf(look, step, place) })
}

function pageOf(
  look: Look,
  step: Exclude<SecurityStep, { step: 'sign_in' | 'done' | 'no_reset' }>,
  place: SecurityPlace,
): WebPage {
  switch (step.step) {
    case 'overview':
      return securityOverviewPage(look, step, place)
    case 'passkey':
      return passkeyPage(look, step, place)
    case 'provider':
      return providerPage(look, step, place)
    case 'new_passkey':
      return newPasskeyPage(look, step, place)
    case 'totp':
      return totpPage(look, place)
    case 'new_totp':
      return newTotpPage(look, step, place)
    case 'codes':
      return recoveryCodesPage(look, step, place)
    case 'new_codes':
      return newRecoveryCodesPage(look, step.codes, place)
    case 'reset':
      return factorResetPage(look, step, place)
    default:
      return step satisfies never
  }
}

/** The pages for failures of the forms of authenticators: too many changes are not too many requests. */
export function securityFailure(failure: Failure, look: Look): HttpResult {
  const { answer, event, error } = failure
  const isTooMany = error instanceof ServiceError && error.code === 'too_many_attempts'
  return isTooMany ? retryPage(look, { ...answer, event, name: 'tooManyAttempts' }) : errorPage(failure, look)
}

/** Shows an owner who asks for the removal of lost second factors, and lets them approve it. */
function factorResetPage(look: Look, step: Extract<SecurityStep, { step: 'reset' }>, place: SecurityPlace): WebPage {
  const { reset: words, cancel } = look.texts.security
  const { organization, member, requestedAt, isApproved, userId } = step
  const fields = { organization_id: organization.id, user_id: userId }
  return page(look, {
    title: words.title,
    body: html`<h1>${words.title}</h1>
<p>${words.asks(member.username, member.email, organization.name)} ${words.requested(formatDay(requestedAt, look.language))}</p>
${
  isApproved
    ? html`<p class="notice good">${words.approved}</p>`
    : html`<p class="notice bad">${words.warning}</p>
${buttonForm(place, { action: 'approve_reset', label: words.approve, fields })}`
}
<p class="after"><a href="${securityPath(place)}">${cancel}</a></p>`,
  })
}

/** The user's authenticators and connected providers, with links to change them. Recovery codes come first if they are missing. */
function securityOverviewPage(look: Look, overview: Overview, place: SecurityPlace): WebPage {
  const { texts } = look
  const { security } = texts
  const { email, isVerified, done, problem, reset } = overview
  const next = applicationStep(look)
  const codes = recoveryCodes(look, overview, place)
  const isMissing = missesCodes(overview)
  return page(look, {
    title: security.title,
    hasProblem: problem !== undefined,
    body: html`<h1>${security.title}</h1>
<p class="lead">${security.signedInAs(displayAddress(email))}</p>
${problem !== undefined && html`<p class="notice bad" role="alert">${security.problems[problem]}</p>`}
${done !== undefined && html`<p class="notice good" role="status">${security.done[done]}</p>`}
${mayEndSessions(overview) && endSessions(look, place)}
${!isVerified && html`<p class="notice bad">${security.notVerified}</p>`}
${reset !== undefined && ownReset(look, reset, place)}
${isMissing && codes}
${passkeys(look, overview, place)}
${totp(look, overview, place)}
${!isMissing && codes}
${overview.providers.length > 0 && connectedProviders(look, overview, place)}
<p class="after"><a href="${next.href}">${next.label}</a></p>`,
  })
}

/** After the first second factor: every other session has shown none. */
function mayEndSessions({ done, list }: Overview): boolean {
  const isAdded = done === 'passkey_added' || done === 'totp_added'
  return isAdded && list.passkeys.length + (list.totp === undefined ? 0 : 1) === 1
}

function endSessions({ texts }: Look, place: SecurityPlace): Html {
  const { text, button } = texts.security.endSessions
  return html`<p>${text}</p>
${buttonForm(place, { action: 'end_sessions', label: button, kind: 'plain' })}`
}

/** A reset that was requested with the password alone, and the button to stop it if the user still has a second factor. */
function ownReset({ texts, language }: Look, { requestedAt, effectiveAt }: PendingReset, place: SecurityPlace): Html {
  const { ownReset: words, reset } = texts.security
  return html`<p class="notice bad">${words.text} ${reset.requested(formatDay(requestedAt, language))} ${effectiveAt === undefined ? words.awaits : words.from(formatDay(effectiveAt, language))}</p>
${buttonForm(place, { action: 'cancel_reset', label: words.stop })}`
}

function missesCodes({ list }: Overview): boolean {
  const hasFactor = list.passkeys.length > 0 || list.totp !== undefined
  return hasFactor && (list.recoveryCodes?.left ?? 0) === 0
}

function passkeys({ texts, language }: Look, { list, isVerified }: Overview, place: SecurityPlace): Html {
  const { passkeys: words } = texts.security
  const rows = list.passkeys.map(({ id, name, backedUp, createdAt, lastUsedAt }) => {
    const used = lastUsedAt > createdAt ? words.lastUsed(formatDay(lastUsedAt, language)) : words.neverUsed
    const facts = `${words.added(formatDay(createdAt, language))}, ${used} · ${backedUp ? words.synced : words.thisDevice}`
    return html`<li><span><strong>${name}</strong><small>${facts}</small></span><a href="${securityPath(place, { view: 'passkey', id })}">${words.manage(name)}</a></li>
`
  })
  return html`<h2>${words.title}</h2>
<p class="section-lead">${words.lead}</p>
${rows.length > 0 ? html`<ul class="items">${rows}</ul>` : html`<p>${words.none}</p>`}
${isVerified && buttonForm(place, { action: 'begin_passkey', label: words.add, kind: 'plain' })}`
}

function totp({ texts, language }: Look, { list, isVerified }: Overview, place: SecurityPlace): Html {
  const { totp: words, passkeys: dates } = texts.security
  const { totp: own } = list
  const head = html`<h2>${words.title}</h2>
<p class="section-lead">${words.lead}</p>`
  if (own === undefined) {
    return html`${head}
<p>${words.none}</p>
${isVerified && buttonForm(place, { action: 'begin_totp', label: words.add, kind: 'plain' })}`
  }
  const used = own.lastUsedAt > own.createdAt ? dates.lastUsed(formatDay(own.lastUsedAt, language)) : dates.neverUsed
  return html`${head}
<ul class="items"><li><span><strong>${words.since(formatDay(own.createdAt, language))}</strong><small>${used}</small></span><a href="${securityPath(place, { view: 'totp' })}">${words.manage}</a></li></ul>`
}

function recoveryCodes({ texts }: Look, overview: Overview, place: SecurityPlace): Html {
  const { codes: words } = texts.security
  const { passkeys: keys, totp: app, recoveryCodes: own } = overview.list
  const head = html`<h2>${words.title}</h2>
<p class="section-lead">${words.lead}</p>`
  if (keys.length === 0 && app === undefined) {
    return html`${head}
<p>${words.needFactor}</p>`
  }
  if (missesCodes(overview)) {
    return html`${head}
<p class="notice bad">${words.offer}</p>
${buttonForm(place, { action: 'create_codes', label: words.create })}`
  }
  return html`${head}
<ul class="items"><li><span><strong>${words.left(own?.left ?? 0)}</strong></span><a href="${securityPath(place, { view: 'codes' })}">${words.replace}</a></li></ul>`
}

function connectedProviders({ texts, language }: Look, { providers }: Overview, place: SecurityPlace): Html {
  const { providers: words } = texts.security
  const rows = providers.map(({ id, name, email, connectedAt, signsIn }) => {
    const at = signsIn ? words.since(formatDay(connectedAt, language)) : words.off
    const facts = [at, ...(email === undefined ? [] : [displayAddress(email)])].join(' · ')
    return html`<li><span><strong>${name}</strong><small>${facts}</small></span><a href="${securityPath(place, { view: 'provider', id })}">${words.manage(name)}</a></li>
`
  })
  return html`<h2>${words.title}</h2>
<p class="section-lead">${words.lead}</p>
<ul class="items">${rows}</ul>`
}
