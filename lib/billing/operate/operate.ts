import type { AuditEntry } from '../../organizations/ports.ts'
import { planCodes } from '../catalog.ts'
import { type CustomerDeps, listSubscriptionsOf } from '../customer/customerSubscriptions.ts'
import { gatewayOf } from '../gateway/gatewayOf.ts'
import type { Price } from '../gateway/gatewayPorts.ts'
import type { ListedSubscription } from '../gateway/subscription.ts'
import { namesSlot } from '../reconcile/listed.ts'
import { sells } from '../reconcile/terms.ts'
import { slotEntry } from '../slot/auditOf.ts'
import type { BillingAccount, BillingDeps, SlotChange } from '../slot/ports.ts'
import { purchaseOf, type Slot, type SlotName } from '../slot/slot.ts'
import { commitChange } from '../slot/slotChange.ts'

export type OperateDeps = BillingDeps & CustomerDeps

/** The result of an operator's command. `refused` if it would be wrong; `failed` if the gateway did not answer: try again. */
export type Operated = { kind: 'done'; from: Slot; to: Slot; subscriptionId: string | undefined } | NotDone
export type NotDone = { kind: 'refused' | 'failed'; why: string }

type OperatorCommand = 'release' | 'adopt'

export const refuseCommand = (why: string): NotDone => ({ kind: 'refused', why })
export const failed = (why: string): NotDone => ({ kind: 'failed', why })

/** The subscriptions of the organization's customer at the gateway, and the product's price there. */
interface AtGateway {
  kind: 'found'
  rows: readonly ListedSubscription[]
  price: Price | undefined
}

/** Fetches everything that a command's decision needs. */
export async function askGateway(
  deps: OperateDeps,
  account: BillingAccount,
  { product }: SlotName,
): Promise<AtGateway | NotDone> {
  const rows = await listSubscriptionsOf(deps, account)
  if (rows.kind === 'refused')
    return refuseCommand('the gateway does not see the customer: is the key of this account and mode?')
  const prices = await gatewayOf(deps.gateways, account).catalog.prices()
  if (rows.kind === 'unknown' || prices.kind !== 'ok') return failed('the gateway did not answer')
  return { kind: 'found', rows: rows.value, price: prices.value.get(planCodes[product]) }
}

/** Whether a subscription is the slot's: if the slot holds it, if its metadata name the slot, or if it sells the slot's product. */
export function isOfSlot(row: ListedSubscription, slot: Slot, price: Price | undefined): boolean {
  return row.id === slot.subscription?.id || namesSlot(row, slot) || sells(row, slot.product, price)
}

/**
 * Writes an operator's change, with an entry in the audit log and a line in the log. If another purchase number holds the coupon, the
 * coupon remains with that number.
 * @throws CommonError `service_unavailable`
 */
export async function commitByOperator(
  deps: OperateDeps,
  command: OperatorCommand,
  from: Slot,
  decided: SlotChange,
  dryRun: boolean,
): Promise<Operated> {
  const change = { ...decided, entries: [operatorEntry(deps, command, from, decided.next)] }
  const to = change.next
  const subscriptionId = to.subscription?.id
  if (dryRun) return { kind: 'done', from, to, subscriptionId }
  if (await commitChange(deps.records, change, ['release', 'reserve', 'apply', 'adopt']))
    return refuseCommand('the slot was changed meanwhile: look again')
  const line = { ...purchaseOf(to), subscriptionId, command, from: from.state, to: to.state }
  deps.logger.warn('Slot changed by an operator', line)
  return { kind: 'done', from, to, subscriptionId }
}

const done = { release: 'subscription.released', adopt: 'subscription.adopted' } as const

function operatorEntry({ clock }: OperateDeps, command: OperatorCommand, from: Slot, to: Slot): AuditEntry {
  const actor = { type: 'operator', id: null } as const
  return slotEntry(to, { action: done[command], actor, detail: { from: from.state, to: to.state } }, clock.now())
}
