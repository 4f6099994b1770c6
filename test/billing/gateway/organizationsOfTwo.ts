import { planCodes } from '../../../lib/billing/catalog.ts'
import { checkout } from '../../../lib/billing/checkout/checkout.ts'
import type { CheckoutRequest } from '../../../lib/billing/checkout/readCart.ts'
import type { SweepDeps } from '../../../lib/billing/checkout/sweep.ts'
import { receiveEvent } from '../../../lib/billing/events/projectEvent.ts'
import type { GatewayName } from '../../../lib/billing/gateway/gatewayName.ts'
import type { BuyingDeps, CustomerCipher } from '../../../lib/billing/slot/ports.ts'
import { type OrganizationId, organizationIdSchema } from '../../../lib/core/ids.ts'
import { createInMemoryBillingRecords } from '../../proof/world/inMemoryBillingRecords.ts'
import { createRandom, createSeededIds, createVirtualClock } from '../../proof/world/worldTime.ts'
import { caller, noon, organizationId, userId } from '../fixtures.ts'
import { openFake } from './fakeUnderTest.ts'
import { answered } from './gatewayUnderTest.ts'
import { openStripe } from './stripeUnderTest.ts'

const SECRET = 'secret of the notices'

/** The organization that is served by the gateway `card`, beside the one of the fixtures. */
export const cardOrganization = organizationIdSchema.parse('9a1b2c3d-4e5f-4a6b-8c7d-0e1f2a3b4c5d')

/** Bound to its organization, not encrypted. */
const cipher: CustomerCipher = {
  encrypt: async (owner, customerId) => `${owner}|${customerId}`,
  async decrypt(owner, text) {
    const [first, customerId = ''] = text.split('|')
    if (first !== owner) throw new Error('Encrypted for another organization')
    return customerId
  },
}

/**
 * Billing's real use cases between records in memory and two gateways: `card` is Stripe's adapter, `invoice` the fake one, which takes
 * no cards and serves the organization of the fixtures.
 */
export async function openTwoGateways() {
  const clock = createVirtualClock(noon * 1000)
  const card = openStripe('card', clock)
  const invoice = openFake({ takesCards: false }, clock)
  const records = createInMemoryBillingRecords()
  for (const id of [organizationId, cardOrganization]) {
    await records.createOrganization(id, '2026-11-20T08:00:00Z')
    await records.setMembership(id, userId, 'owner')
  }
  const { accounts, ...rest } = records.save()
  const served = (id: OrganizationId): GatewayName => (id === organizationId ? 'invoice' : 'card')
  records.load({ ...rest, accounts: accounts.map((one) => ({ ...one, gateway: served(one.organizationId) })) })

  const deps: SweepDeps & BuyingDeps = {
    records,
    slots: records,
    gateways: { card: card.gateway, invoice: invoice.gateway },
    cipher,
    users: { find: async () => undefined },
    clock,
    ids: createSeededIds(createRandom(clock.now())),
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  }

  return {
    clock,
    card,
    invoice,
    records,
    deps,
    /** Checks out for the organization served by invoice, or what `change` says. @returns each line in short */
    async buy(productCodes: readonly string[], change: Partial<CheckoutRequest> = {}, using = deps): Promise<string[]> {
      const request = {
        organizationId,
        caller,
        productCodes,
        paymentMethodId: undefined,
        couponCode: undefined,
        ...change,
      }
      return (await checkout(using, request)).map((line) => (line.ok ? `bought ${line.status}` : line.error))
    },
    async slot(product: 'ota' | 'monitoring' = 'ota', of = organizationId) {
      return (await records.readSlot(of, product)).slot
    },
    /** How often the organization's `ota` was sold by the gateway `invoice`, as its purchase `n`. */
    async soldByInvoice(n = 1): Promise<number> {
      const { account } = await records.readSlot(organizationId, 'ota')
      const customerId = account?.customer?.cipher.split('|')[1] ?? 'none'
      const purchase = { organization_id: organizationId, plan_code: planCodes.ota, n }
      return answered(await invoice.gateway.purchases.countPurchases(customerId, purchase))
    },
    /** Receives the latest event of the gateway `invoice`. @returns whether it is recorded */
    async receiveLatest(using = deps): Promise<boolean> {
      const payload = invoice.latestEvent()
      const event = invoice.verifier([SECRET]).verify(payload, invoice.sign(payload, SECRET, clock.now() / 1000))
      if (!event) throw new Error('The event is genuine')
      return receiveEvent(using, event)
    },
    close: card.close,
  }
}

export type TwoGateways = Awaited<ReturnType<typeof openTwoGateways>>
