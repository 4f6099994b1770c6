import type { Prediction } from './predictCheckout.ts'
import {
  forget,
  forgetCustomer,
  type Line,
  learn,
  linesOf,
  type Model,
  type Organization,
  type Place,
} from './referenceModel.ts'

/** What canceling a line answers, `canceled`, `cancellation_scheduled` or an error's code; null where more than one is open. */
export function predictCancel(model: Model, line: Line, atPeriodEnd: boolean): Prediction | null {
  if (line.unknown) return null
  if (line.record === 'free') return { answer: line.everHeld ? 'canceled' : 'not_subscribed', inert: true, apply() {} }
  const { purchase } = line
  // One that the record has as unpaid is asked for first: paid meanwhile, it keeps its period.
  if (atPeriodEnd && purchase?.state === 'live') {
    return { answer: 'cancellation_scheduled', atOnce: true, apply: () => learn(model, line) }
  }
  const apply = () => {
    if (purchase) purchase.state = 'ended'
    learn(model, line)
  }
  return { answer: 'canceled', atOnce: true, apply }
}

/** What asking for a setup intent answers, `secret` or an error's code. */
export function predictSetup(organization: Organization): Prediction | null {
  if (organization.gateway === 'invoice') return { answer: 'card_not_accepted', inert: true, apply() {} }
  if (organization.customer === 'unknown') return null
  if (organization.customer === 'deleted') {
    return { answer: 'gateway_refused', apply: () => forgetCustomer(organization) }
  }
  const apply = () => {
    organization.customer = 'present'
  }
  return { answer: 'secret', apply }
}

/** What giving everything answers that an invoice needs, `given` or an error's code. */
export function predictDetails(organization: Organization): Prediction | null {
  if (organization.customer === 'unknown') return null
  if (organization.customer === 'deleted') {
    return { answer: 'gateway_refused', apply: () => forgetCustomer(organization) }
  }
  const apply = () => {
    organization.customer = 'present'
    if (organization.gateway === 'invoice') organization.ready = true
  }
  return { answer: 'given', apply }
}

/** The gateway ends everything of a customer that is deleted there. */
export function deleteCustomer(organization: Organization): void {
  organization.customer = 'deleted'
  organization.ready = false
  for (const { purchase } of linesOf(organization)) if (purchase) purchase.state = 'ended'
}

/** Every owed event was acknowledged once, in this order, and perhaps once more. */
export function deliverAll(model: Model, order: 'in order' | 'reversed' | 'twice'): void {
  for (const organization of model.organizations) {
    // The last event of a deleted customer is about the customer itself, after all of its subscriptions.
    if (order === 'reversed' && organization.customer === 'deleted') forgetCustomer(organization)
    for (const line of linesOf(organization)) learn(model, line)
    if (order !== 'reversed' && organization.customer === 'deleted') forgetCustomer(organization)
  }
}

/** Some events may not have been recorded: what lagged behind the gateway may have caught up or not. */
export function deliverSome(model: Model): void {
  for (const organization of model.organizations) {
    if (organization.customer === 'deleted') organization.customer = 'unknown'
    for (const line of linesOf(organization)) {
      const here = line.record === 'free' ? 'ended' : line.record
      if (line.purchase && line.purchase.state !== here) forget(model, line)
    }
  }
}

/** A request met a fault and did not say what came of it. */
export function doubt(model: Model, organization: Place, line: Line, user: Place | undefined): void {
  forget(model, line, user)
  const owner = model.organizations[organization]
  if (owner.customer !== 'present') owner.customer = 'unknown'
}
