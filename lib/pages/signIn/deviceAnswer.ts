import { displayAddress } from '../../core/displayAddress.ts'
import { type Html, html } from '../../core/html.ts'
import type { HttpResult } from '../../http/contract.ts'
import type { DeviceStep } from '../../oauth/device/decideDevice.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { messagePage } from '../kit/messagePage.ts'
import { applicationStep } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'
import { pageAnswer } from '../kit/pageAnswer.ts'
import { consentPage } from './consentPage.ts'
import { statusOf } from './signInForm.ts'

/** The path of the page on which a person types a device's code. */
export const DEVICE_PATH = '/api/device'

type Shown = Exclude<DeviceStep, { step: 'sign_in' }>
type Confirm = Extract<DeviceStep, { step: 'confirm' }>

/** The target and the protection of the forms on this page. */
interface DevicePlace {
  readonly action: string
  /** Made by `formToken`. */
  readonly csrf: string
}

/** The answer of the page of devices to a user who is signed in for it. */
export function deviceAnswer(look: Look, step: Shown, place: DevicePlace): HttpResult {
  if (step.step === 'code') return pageAnswer(look, { ...statusOf(step.problem), page: codePage(look, step, place) })
  if (step.step === 'confirm') return pageAnswer(look, { status: 200, page: confirmPage(look, step, place) })
  const { title, text } = look.texts.device[step.step]
  const message = { title, text: text(step.clientName), next: applicationStep(look) }
  return pageAnswer(look, { status: 200, page: messagePage(look, message) })
}

/** Asks for the code, with the problem of the last try. */
function codePage(look: Look, step: Extract<DeviceStep, { step: 'code' }>, { action, csrf }: DevicePlace): WebPage {
  const { email, problem } = step
  const { device, consent, signIn } = look.texts
  const text =
    problem?.code === 'too_many_attempts'
      ? signIn.tooManyAttempts(problem.retryAfterSeconds)
      : problem && device[problem.code]
  const hidden = hiddenFields({ csrf })
  return page(look, {
    title: device.title,
    hasProblem: problem !== undefined,
    body: html`<h1>${device.title}</h1>
<p class="lead">${device.lead}</p>
${text !== undefined && html`<p class="notice bad" id="problem" role="alert">${text}</p>`}
<form class="account" method="post" action="${action}">
${hidden}<p>${consent.signedInAs(displayAddress(email))}</p>
<button class="link" type="submit" name="action" value="switch">${consent.switchAccount}</button>
</form>
<form method="post" action="${action}">
${hidden}${hiddenFields({ action: 'code' })}<label for="user-code">${device.label}</label>
<input id="user-code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="32" required aria-describedby="${text === undefined ? '' : 'problem '}user-code-rule"${text !== undefined && html` aria-invalid="true"`} autofocus>
<p class="hint" id="user-code-rule">${device.rule}</p>
<button type="submit">${device.button}</button>
</form>
<p class="hint">${device.warning}</p>`,
  })
}

/** Asks if the device may act for the user: the consent page, with the device in place of an address. */
function confirmPage(look: Look, step: Confirm, { action, csrf }: DevicePlace): WebPage {
  const { userCode } = step
  return consentPage(look, { ...step, lead: whoAsks(look, step), action, csrf, fields: { user_code: userCode } })
}

function whoAsks({ texts, language }: Look, { userCode, minutes, sourceIp, isOwnNetwork }: Confirm): Html {
  const { device } = texts
  const ago = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-minutes, 'minute')
  return html`<p class="lead">${device.asked(html`<strong class="typed">${userCode}</strong>`, ago)}</p>
${
  isOwnNetwork
    ? html`<p>${device.ownNetwork(sourceIp)}</p>`
    : html`<p class="notice bad">${device.otherNetwork(sourceIp)}</p>`
}`
}
