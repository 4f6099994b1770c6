import { type ClaimedLine, requestHash } from '../../lib/billing/checkout/holdSlot.ts'
import type { InvoiceRow } from '../../lib/billing/gateway/gatewayPorts.ts'
import type { GatewaySubscription } from '../../lib/billing/gateway/subscription.ts'
import type { BillingAccount } from '../../lib/billing/slot/ports.ts'
import { type Claim, emptySlot, type HeldSlot, type HeldState, type Slot } from '../../lib/billing/slot/slot.ts'
import type { Caller } from '../../lib/core/identity.ts'
import { organizationIdSchema, userIdSchema } from '../../lib/core/ids.ts'

export const organizationId = organizationIdSchema.parse('5f2b8c1e-9d4a-4e6f-8a7b-1c2d3e4f5a6b')
export const userId = userIdSchema.parse('0e4c7d2a-3b5f-4a8e-9c6d-7f8e9a0b1c2d')
export const caller: Caller = { userId, securityRev: 0 }

/** 2026-11-21T12:00:00Z, Unix seconds. */
export const noon = 1_795_262_400

/** The organization, which has no customer yet. */
export const account: BillingAccount = {
  organizationId,
  name: 'Acme',
  createdAt: '2026-01-01T00:00:00Z',
  gateway: 'card',
  customerRev: 0,
}

/** Purchase 1 of the organization's `ota`, as the gateway's metadata has it. */
export const purchase = {
  organization_id: organizationId,
  product: 'ota',
  plan_code: 'base_ota',
  n: 1,
  user_id: userId,
} as const

/** The price at which `purchase` was sold. */
export const soldPrice = { amount: 4900, currency: 'usd', interval: 'month', intervalCount: 1 } as const

/** The paid invoice of `purchase`. */
export function paidInvoice(change: Partial<InvoiceRow> = {}): InvoiceRow {
  return {
    ...{ id: 'in_1', number: null, status: 'paid', currency: 'usd', createdAt: noon, dueAt: null, paidAt: noon },
    ...{ purchase, priceIds: [], amountDue: 1, amountPaid: 1, hostedInvoiceUrl: null, invoicePdf: null },
    ...change,
  }
}

/** The gateway's first answer to a call, not a replayed one. */
export const ok = <Value>(value: Value) => ({ kind: 'ok', value, replayed: false }) as const

export const unknown = { kind: 'unknown', saved: false } as const

/** The subscription of `purchase`. */
export function subscription(change: Partial<GatewaySubscription> = {}): GatewaySubscription {
  return {
    gateway: 'card',
    id: 'sub_1',
    status: 'active',
    customerId: 'cus_1',
    purchase,
    createdAt: noon,
    currentPeriodEnd: noon + 30 * 86_400,
    cancelAt: null,
    endedAt: null,
    invoiceId: 'in_1',
    invoicePaidAt: noon,
    wasPaid: true,
    payment: { kind: 'none' },
    coupon: null,
    price: soldPrice,
    refundDue: false,
    requested: null,
    coveredUntil: noon,
    ...change,
  }
}

/** The subscription of `purchase`, whose first payment the bank declined. */
export function declined(declineCode: string | null = null): GatewaySubscription {
  return subscription({
    status: 'incomplete',
    invoicePaidAt: null,
    wasPaid: false,
    payment: { kind: 'declined', declineCode },
  })
}

/** The subscription of `purchase`, ended because its first payment was not made in time. */
export const expired = subscription({ status: 'canceled', endedAt: noon, invoicePaidAt: null, wasPaid: false })

export function slot(change: Partial<Slot> = {}): Slot {
  return { ...emptySlot(organizationId, 'ota'), n: 1, rev: 3, ...change }
}

export function pendingSlot(change: Partial<Slot> = {}): Slot {
  return slot({ state: 'pending', claim: claimAt(noon * 1000), ...change })
}

/** A claim of `userId` whose purchase was sent first and last at this time (Unix milliseconds). */
export function claimAt(at: number, change: Partial<Claim> = {}): Claim {
  return {
    gateway: 'card',
    owner: 'w1',
    leaseUntil: at + 45_000,
    firstSent: at,
    lastSent: at,
    nextSweepAt: at + 60_000,
    frozenRequest: '{}',
    requestHash: requestHash({ paymentMethodId: undefined, couponCode: undefined }),
    userId,
    ...change,
  }
}

/** `liveSlot` in this state, with a type that says that a subscription holds it. */
export function heldSlot(state: HeldState = 'active', change: Partial<Slot> = {}): HeldSlot {
  return { ...liveSlot(change), state }
}

export function liveSlot(change: Partial<Slot> = {}): Slot {
  const snapshot = {
    id: 'sub_1',
    status: 'active' as const,
    currentPeriodEnd: noon + 30 * 86_400,
    cancelAt: null,
    endedAt: null,
    coveredUntil: noon,
    price: soldPrice,
    nextCharge: { amount: 4900, at: noon + 30 * 86_400 },
  }
  return slot({ state: 'active', gateway: 'card', subscription: snapshot, ...change })
}

/** A line of `base_ota` whose new purchase this request holds and sends. */
export function claimedLine(change: Partial<ClaimedLine> = {}): ClaimedLine {
  return { code: 'base_ota', slot: pendingSlot(), mode: 'send', same: true, sentBefore: noon * 1000, ...change }
}
