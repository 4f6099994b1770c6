import { html } from '../../core/html.ts'
import type { LostFactorState } from '../../signIn/lostFactor.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { linkToSignIn, type NextStep } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'

/** The target of the form for a lost second factor. */
export const LOST_FACTOR_PATH = '/api/auth/factor-reset'

/** The content of the page for a lost second factor. */
interface LostFactorView {
  readonly state: LostFactorState
  /** The query of the authorization request, to which the page leads back. */
  readonly request: string
  /** Made by `formToken`. */
  readonly csrf: string
}

/** The steps of the removal for a user who has lost every second factor. */
export function lostFactorPage(look: Look, { state: at, request, csrf }: LostFactorView): WebPage {
  const { lostFactor, next } = look.texts
  const { title, text } = lostFactor[at.state]
  const back: NextStep = { ...linkToSignIn(look, request), label: at.state === 'done' ? next.signIn : lostFactor.back }
  const action = at.state === 'none' ? 'request' : at.state === 'due' ? 'complete' : undefined
  return page(look, {
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${at.state === 'waiting' && html`<p>${lostFactor.effectiveAt(timeIn(look, at.effectiveAt))}</p>`}
${
  action &&
  html`<form method="post" action="${LOST_FACTOR_PATH}">
${hiddenFields({ csrf, request })}<button type="submit" name="action" value="${action}">${lostFactor[action]}</button>
</form>`
}
<p class="after"><a href="${back.href}">${back.label}</a></p>`,
  })
}

function timeIn({ language }: Look, time: number): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(time)} UTC`
}
