import type { OrganizationId } from '../../core/ids.ts'
import type { AuditEntry } from '../../organizations/ports.ts'
import { customerOf } from '../customer/customer.ts'
import { listSubscriptionsOf } from '../customer/customerSubscriptions.ts'
import { type MissingDetails, missingDetails } from '../customer/missingDetails.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import { isEnded } from '../gateway/subscription.ts'
import { isSameTerms, problemOfTerms, termsOf } from '../slot/paymentTerms.ts'
import type { BillingAccount, PaymentTerms } from '../slot/ports.ts'
import { isFree, type Slot } from '../slot/slot.ts'
import { READ_BUDGET } from '../timing.ts'
import { failed, type NotDone, type OperateDeps, refuseCommand } from './operate.ts'

/** The result of a switch. `missing`: the billing details that the organization has to add before it can buy. */
export type Switched =
  | { kind: 'done' | 'unchanged'; from: PaymentTerms; to: PaymentTerms; missing: MissingDetails }
  | NotDone

/**
 * Changes how an organization pays, by an operator's decision. The gateway changes only if, by the record and by the gateway's own list,
 * nothing is bought or being bought. The days of an invoice change at any time, because they apply to later purchases. Repeat it after
 * a failure: if the switch is done, this changes nothing.
 * @throws CommonError `service_unavailable`: the switch may be done; or an error of KMS: it is not done
 */
export async function switchGateway(
  deps: OperateDeps,
  { organizationId, ...asked }: { organizationId: OrganizationId } & PaymentTerms,
  { dryRun = false } = {},
): Promise<Switched> {
  const to = termsOf(asked)
  const problem = problemOfTerms(to)
  if (problem !== undefined) return refuseCommand(problem)
  const { account, slots } = await deps.records.readSlots(organizationId)
  if (!account) return refuseCommand('there is no such organization')
  const from = termsOf(account)
  const missing = () => detailsMissingAt(deps, account, to)
  if (isSameTerms(from, to)) return { kind: 'unchanged', from, to, missing: await missing() }
  const obstacle = from.gateway === to.gateway ? undefined : await whyNotMoved(deps, account, slots)
  if (obstacle) return obstacle
  if (!dryRun) {
    const entry = switchEntry(deps, account, to)
    const outcome = await deps.records.switchGateway({ organizationId, ...from }, to, entry)
    if (outcome === 'held') return refuseCommand('something was bought meanwhile: look again')
    if (outcome === 'conflict') return refuseCommand('the account was changed meanwhile: look again')
    const { gateway, daysUntilDue } = to
    deps.logger.warn('Gateway switched by an operator', {
      organizationId,
      from: from.gateway,
      to: gateway,
      daysUntilDue,
    })
  }
  return { kind: 'done', from, to, missing: await missing() }
}

/** Why an organization cannot move to another gateway: every subscription remains with its own gateway until it ends. */
async function whyNotMoved(
  deps: OperateDeps,
  account: BillingAccount,
  slots: readonly Slot[],
): Promise<NotDone | undefined> {
  const taken = slots.filter((slot) => !isFree(slot)).map(({ product, state }) => `${product} is ${state}`)
  if (taken.length > 0) return refuseCommand(`${taken.join(', ')}: each must have ended first`)
  const rows = await listSubscriptionsOf(deps, account)
  if (rows.kind === 'refused')
    return refuseCommand('the gateway does not see the customer: is the key of this account and mode?')
  if (rows.kind === 'unknown') return failed('the gateway did not answer')
  const live = rows.value.filter(({ status }) => !isEnded(status)).map(({ id, status }) => `${id}, which is ${status}`)
  if (live.length === 0) return undefined
  // A purchase under way is live at the gateway before its slot says so: adopting or canceling it would be wrong advice.
  const { slots: now } = await deps.records.readSlots(account.organizationId)
  if (!now.every(isFree)) return refuseCommand('something was bought meanwhile: look again')
  return refuseCommand(`the customer has ${live.join('; ')}, and no slot holds it: adopt it, or cancel it first`)
}

/** Both gateways have the same customer, so both know the same details. */
function detailsMissingAt(deps: OperateDeps, account: BillingAccount, to: PaymentTerms): Promise<MissingDetails> {
  const { organizationId, customer } = account
  const known = customer && (() => customerOf(deps, organizationId, customer))
  return missingDetails(gatewayOf(deps.gateways, to), account, known, { answerBy: deps.clock.now() + READ_BUDGET })
}

/** The entry has its own id: if two operators make the same switch at the same instant, the second is refused. */
function switchEntry({ ids, clock }: OperateDeps, account: BillingAccount, to: PaymentTerms): AuditEntry {
  const { organizationId, gateway } = account
  return {
    organizationId,
    id: ids.uuid(),
    at: clock.now(),
    actor: { type: 'operator', id: null },
    action: 'organization.gateway_changed',
    target: organizationId,
    detail: { from: gateway, to: to.gateway, days_until_due: to.daysUntilDue ?? null },
  }
}
