import { checkout } from '../../../lib/billing/checkout/checkout.ts'
import type { CheckoutRequest } from '../../../lib/billing/checkout/readCart.ts'
import type { GatewayName } from '../../../lib/billing/gateway/gatewayName.ts'
import type { PaymentGateway } from '../../../lib/billing/gateway/gatewayPorts.ts'
import type { OperateDeps } from '../../../lib/billing/operate/operate.ts'
import { type Switched, switchGateway } from '../../../lib/billing/operate/switchGateway.ts'
import { termsOf } from '../../../lib/billing/slot/paymentTerms.ts'
import type { BuyingDeps, CustomerCipher, PaymentTerms } from '../../../lib/billing/slot/ports.ts'
import { isFree } from '../../../lib/billing/slot/slot.ts'
import type { OrganizationId } from '../../../lib/core/ids.ts'
import type { FieldsOf, MessageName } from '../../../lib/log/logMessages.ts'
import { caller, noon, organizationId, userId } from '../../billing/fixtures.ts'
import { done, type FakeSale } from '../../billing/gateway/fakeBooks.ts'
import { createFakeGateway } from '../../billing/gateway/fakeGateway.ts'
import { createFakeSentInvoices } from '../../billing/gateway/fakeInvoices.ts'
import { createFakePurchases } from '../../billing/gateway/fakePurchases.ts'
import { allCalls, gatewayLike } from '../../billing/gatewayCalls.ts'
import { emptyLists } from '../../billing/reconcile/emptyLists.ts'
import { createInMemoryBillingRecords } from '../../proof/world/inMemoryBillingRecords.ts'
import type { Enter } from '../../proof/world/orders/gate.ts'
import {
  gatedCipher,
  gatedGateway,
  gatedListing,
  gatedRecords,
  gatedUsers,
} from '../../proof/world/orders/gatedPorts.ts'
import { createRandom, createSeededIds, createVirtualClock } from '../../proof/world/worldTime.ts'

/** An operator who switches beside a member who buys. */
export type SwitchingDeps = OperateDeps & BuyingDeps

export const card = { gateway: 'card' } as const
export const invoice = { gateway: 'invoice', daysUntilDue: 30 } as const

const bound: CustomerCipher = {
  encrypt: async (owner: OrganizationId, customerId: string) => `${owner}|${customerId}`,
  decrypt: async (_owner: OrganizationId, text: string) => text.split('|')[1] ?? '',
}
const pass: Enter = (_method, effect) => effect()

/**
 * An organization of records in memory, whose customer two gateways share: `card`, which charges its card, and `invoice`, which needs its
 * details and is paid later.
 */
export async function openSwitching() {
  const clock = createVirtualClock(noon * 1000)
  const records = createInMemoryBillingRecords()
  await records.createOrganization(organizationId, '2026-11-20T08:00:00Z')
  await records.setMembership(organizationId, userId, 'owner')
  const { books, gateway } = createFakeGateway({ clock, takesCards: true, name: 'card' })
  const soldBy = new Map<string, GatewayName>()
  const viewed = (sale: FakeSale) => ({ ...books.view(sale), gateway: soldBy.get(sale.id) ?? ('card' as const) })
  const ledger = { ...books, view: viewed }
  const sent = {
    ...ledger,
    takesCards: false,
    // What is left to pay is not asked of a card.
    sell(terms: Parameters<typeof books.sell>[0]) {
      const sale = books.sell(terms, 1)
      soldBy.set(sale.id, 'invoice')
      return sale
    },
  }
  const byCard = { ...gateway, purchases: createFakePurchases(ledger) }
  const byInvoice: PaymentGateway = {
    ...gateway,
    needs: ['name', 'email', 'address'],
    purchases: createFakePurchases(sent),
    cards: undefined,
    sentInvoices: createFakeSentInvoices(sent),
  }
  const listing = {
    ...emptyLists().listing,
    listCustomerSubscriptions: (customerId: string) =>
      books.call(() => {
        const own = [...books.sales.values()].filter((sale) => sale.customerId === customerId)
        const terms = { items: [], currency: 'usd', collectionPaused: false, couponIds: [], trialEnd: null }
        return done(own.map((sale) => ({ ...viewed(sale), terms })))
      }),
  }
  const logged: { message: MessageName; fields: object }[] = []
  const logger = {
    info: () => {},
    warn: <Name extends MessageName>(message: Name, fields?: FieldsOf<Name>) => {
      logged.push({ message, fields: fields ?? {} })
    },
    error: () => {},
  }
  const ids = createSeededIds(createRandom(7))
  const gated = (one: PaymentGateway, enter: Enter): PaymentGateway => {
    return gatewayLike(one, gatedGateway(allCalls(one), enter))
  }

  /** Every side effect, each call through the gate. */
  const depsOf = (enter: Enter = pass): SwitchingDeps => ({
    records: gatedRecords(records, enter),
    gateways: { card: gated(byCard, enter), invoice: gated(byInvoice, enter) },
    listing: gatedListing(listing, enter),
    cipher: enter === pass ? bound : gatedCipher(enter),
    users: gatedUsers({ find: async () => undefined }, enter),
    clock,
    ids,
    logger,
  })

  const account = async () => {
    const found = await records.readAccount(organizationId)
    if (!found) throw new Error('The organization exists')
    return found
  }

  return {
    clock,
    records,
    books,
    logged,
    depsOf,
    account,
    switchTo: (to: PaymentTerms, options = {}, using = depsOf()): Promise<Switched> =>
      switchGateway(using, { organizationId, ...to }, options),
    /** Checks out. @returns each line in short */
    async buy(productCodes: readonly string[], change: Partial<CheckoutRequest> = {}, using = depsOf()) {
      const request = { organizationId, caller, productCodes, paymentMethodId: undefined, couponCode: undefined }
      const lines = await checkout(using, { ...request, ...change })
      return lines.map((line) => (line.ok ? `bought ${line.status}` : line.error))
    },
    /** A customer with a card that pays, and with all details. */
    async openCustomer(): Promise<string> {
      const created = await gateway.customers.createCustomer(organizationId, { name: 'Acme' }, 'customer')
      const customerId = created.kind === 'ok' ? created.value : ''
      const customer = books.customers.get(customerId)
      if (!customer) throw new Error('The customer was created')
      customer.cards.set('plastic', 'pays')
      customer.defaultCard = 'plastic'
      const address = { line1: 'Road 1', line2: null, city: 'Bern', state: null, postalCode: '3000', country: 'CH' }
      customer.details = { ...customer.details, email: 'pay@example.com', address }
      const cipher = await bound.encrypt(organizationId, customerId)
      await records.bindCustomer(await account(), { cipher, digest: 'digest' })
      return customerId
    },
    /** The terms that the audit log says were left and taken, oldest first. */
    switches: () =>
      records
        .save()
        .entries.filter(({ action }) => action === 'organization.gateway_changed')
        .map(({ detail }) => detail),
    /** What is wrong between the account, what is held, what was sold and what the audit log says. */
    async wrong(): Promise<string[]> {
      const found: string[] = []
      const terms = termsOf(await account())
      const { slots, entries } = records.save()
      for (const slot of slots.filter((one) => !isFree(one))) {
        if (slot.gateway !== terms.gateway) found.push(`${slot.product} is ${slot.state} at ${slot.gateway}`)
      }
      const live = [...books.sales.values()].filter(({ status }) => status !== 'canceled')
      for (const sale of live) {
        if (viewed(sale).gateway !== terms.gateway) found.push(`${sale.id} is of ${viewed(sale).gateway}`)
      }
      let last: unknown = 'card'
      for (const { detail, action } of entries) {
        if (action !== 'organization.gateway_changed') continue
        if (detail.from !== last) found.push(`the log says that ${detail.from} was left, and not ${last}`)
        last = detail.to
      }
      if (last !== terms.gateway) found.push(`the log says ${last}, and the account ${terms.gateway}`)
      return found
    },
  }
}

export type Switching = Awaited<ReturnType<typeof openSwitching>>
