import { displayAddress } from '../../core/displayAddress.ts'
import { formatTime } from '../../core/format.ts'
import { type Html, html } from '../../core/html.ts'
import type { LostFactorStep, WaitingState } from '../../signIn/lostFactor.ts'
import { hiddenFields } from '../kit/fields.ts'
import type { Look } from '../kit/look.ts'
import { linkToSignIn, type NextStep } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'

/** The target of the form for a lost second factor. */
export const LOST_FACTOR_PATH = '/api/auth/factor-reset'

/** The content of the page for a lost second factor. */
interface LostFactorView {
  readonly state: LostFactorStep
  /** The query of the authorization request, to which the page leads back. */
  readonly request: string
  /** Made by `formToken`; undefined in a browser without a pending sign-in, whose page has no buttons. */
  readonly csrf: string | undefined
}

/** The steps of the removal for a user who has lost every second factor. */
export function lostFactorPage(look: Look, { state: at, request, csrf }: LostFactorView): WebPage {
  const { lostFactor, next, signIn } = look.texts
  const { title, text } = lostFactor[at.state]
  const back: NextStep = { ...linkToSignIn(look, request), label: at.state === 'done' ? next.signIn : lostFactor.back }
  const { retryAfterSeconds: seconds } = at
  return page(look, {
    title,
    hasProblem: seconds !== undefined,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${seconds !== undefined && html`<p class="notice bad" role="alert">${signIn.tooManyAttempts(seconds)}</p>`}
${at.state === 'unconfirmed' && html`<p>${lostFactor.mailedTo(displayAddress(at.email))}</p>`}
${at.state === 'waiting' && waiting(look, at)}
${csrf !== undefined && actionsOf(at).map((action) => actionForm(look, { action, csrf, request }))}
<p class="after"><a href="${back.href}">${back.label}</a></p>`,
  })
}

function waiting(look: Look, at: WaitingState): Html {
  const { lostFactor } = look.texts
  const { effectiveAt, isApproved, approvers } = at
  return html`<p>${lostFactor.effectiveAt(formatTime(effectiveAt, look.language))}</p>
${isApproved && html`<p class="notice good">${lostFactor.approved}</p>`}
${!isApproved && approvers.length > 0 && approversOf(look, approvers)}`
}

/** Names the owners to ask: only their approval shortens the wait. */
function approversOf({ texts }: Look, approvers: WaitingState['approvers']): Html {
  const { lostFactor } = texts
  return html`<p>${lostFactor.askOwners}</p>
<ul>${approvers.map(
    ({ organization, owners }) =>
      html`<li><strong>${organization.name}</strong>: ${owners.map(({ username }) => username).join(', ')}</li>`,
  )}</ul>`
}

type Action = 'request' | 'send_again' | 'complete'

function actionsOf(at: LostFactorStep): Action[] {
  if (at.state === 'none') return ['request']
  if (at.state === 'due') return ['complete']
  const mayRemind = at.state === 'waiting' && !at.isApproved && at.approvers.length > 0
  return at.state === 'unconfirmed' || mayRemind ? ['send_again'] : []
}

function actionForm(
  { texts }: Look,
  { action, csrf, request }: { action: Action; csrf: string; request: string },
): Html {
  const isSecondary = action === 'send_again'
  return html`<form method="post" action="${LOST_FACTOR_PATH}">
${hiddenFields({ csrf, request })}<button type="submit"${isSecondary && html` class="plain"`} name="action" value="${action}">${texts.lostFactor[action]}</button>
</form>`
}
