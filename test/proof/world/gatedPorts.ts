import type { GatewayListing } from '../../../lib/billing/gateway/gatewayPorts.ts'
import type { PassRecords } from '../../../lib/billing/reconcile/passContext.ts'
import type { BillingRecords, CustomerCipher, SlotListing } from '../../../lib/billing/slot/ports.ts'
import { CommonError } from '../../../lib/core/errors.ts'
import type { Users } from '../../../lib/users/ports.ts'
import type { GatewayCalls } from '../../billing/gatewayCalls.ts'
import type { Enter } from './gate.ts'

const away = (): never => {
  throw new CommonError('service_unavailable')
}
const unknown = () => ({ kind: 'unknown', saved: false }) as const

/** Records of which every call passes the gate. */
export function gatedRecords(records: BillingRecords, enter: Enter): BillingRecords {
  return {
    read: (...args) => enter('records.read', () => records.read(...args), away),
    readSlots: (...args) => enter('records.readSlots', () => records.readSlots(...args), away),
    findOrganizations: (...args) => enter('records.findOrganizations', () => records.findOrganizations(...args), away),
    readSlot: (...args) => enter('records.readSlot', () => records.readSlot(...args), away),
    readAccount: (...args) => enter('records.readAccount', () => records.readAccount(...args), away),
    readTogether: (...args) => enter('records.readTogether', () => records.readTogether(...args), away),
    isRedeemed: (...args) => enter('records.isRedeemed', () => records.isRedeemed(...args), away),
    commit: (...args) => enter('records.commit', () => records.commit(...args), away),
    freezeCustomer: (...args) => enter('records.freezeCustomer', () => records.freezeCustomer(...args), away),
    bindCustomer: (...args) => enter('records.bindCustomer', () => records.bindCustomer(...args), away),
    unbindCustomer: (...args) => enter('records.unbindCustomer', () => records.unbindCustomer(...args), away),
    switchGateway: (...args) => enter('records.switchGateway', () => records.switchGateway(...args), away),
    fenceCards: (...args) => enter('records.fenceCards', () => records.fenceCards(...args), away),
    unfenceCards: (...args) => enter('records.unfenceCards', () => records.unfenceCards(...args), away),
    announce: (...args) => enter('records.announce', () => records.announce(...args), away),
    addEntry: (...args) => enter('records.addEntry', () => records.addEntry(...args), away),
    recordAccountChange: (...args) =>
      enter('records.recordAccountChange', () => records.recordAccountChange(...args), away),
  }
}

/** A gateway of which every call passes the gate; `freezeSubscription` makes no call. */
export function gatedGateway(gateway: GatewayCalls, enter: Enter): GatewayCalls {
  return {
    freezeSubscription: (request) => gateway.freezeSubscription(request),
    prices: (...args) => enter('gateway.prices', () => gateway.prices(...args), unknown),
    findCoupon: (...args) => enter('gateway.findCoupon', () => gateway.findCoupon(...args), unknown),
    createCustomer: (...args) => enter('gateway.createCustomer', () => gateway.createCustomer(...args), unknown),
    fetchCustomer: (...args) => enter('gateway.fetchCustomer', () => gateway.fetchCustomer(...args), unknown),
    deleteCustomer: (...args) => enter('gateway.deleteCustomer', () => gateway.deleteCustomer(...args), unknown),
    fetchDetails: (...args) => enter('gateway.fetchDetails', () => gateway.fetchDetails(...args), unknown),
    changeDetails: (...args) => enter('gateway.changeDetails', () => gateway.changeDetails(...args), unknown),
    createSubscription: (...args) =>
      enter('gateway.createSubscription', () => gateway.createSubscription(...args), unknown),
    previewSubscription: (...args) =>
      enter('gateway.previewSubscription', () => gateway.previewSubscription(...args), unknown),
    previewOpenPayment: (...args) =>
      enter('gateway.previewOpenPayment', () => gateway.previewOpenPayment(...args), unknown),
    fetchSubscription: (...args) =>
      enter('gateway.fetchSubscription', () => gateway.fetchSubscription(...args), unknown),
    findSubscription: (...args) => enter('gateway.findSubscription', () => gateway.findSubscription(...args), unknown),
    countPurchases: (...args) => enter('gateway.countPurchases', () => gateway.countPurchases(...args), unknown),
    findUnpaidInvoice: (...args) =>
      enter('gateway.findUnpaidInvoice', () => gateway.findUnpaidInvoice(...args), unknown),
    finalizeInvoice: (...args) => enter('gateway.finalizeInvoice', () => gateway.finalizeInvoice(...args), unknown),
    payInvoice: (...args) => enter('gateway.payInvoice', () => gateway.payInvoice(...args), unknown),
    voidInvoice: (...args) => enter('gateway.voidInvoice', () => gateway.voidInvoice(...args), unknown),
    listOwnCards: (...args) => enter('gateway.listOwnCards', () => gateway.listOwnCards(...args), unknown),
    setPaymentMethod: (...args) => enter('gateway.setPaymentMethod', () => gateway.setPaymentMethod(...args), unknown),
    cancelAtPeriodEnd: (...args) =>
      enter('gateway.cancelAtPeriodEnd', () => gateway.cancelAtPeriodEnd(...args), unknown),
    resumeSubscription: (...args) =>
      enter('gateway.resumeSubscription', () => gateway.resumeSubscription(...args), unknown),
    cancelNow: (...args) => enter('gateway.cancelNow', () => gateway.cancelNow(...args), unknown),
    listInvoices: (...args) => enter('gateway.listInvoices', () => gateway.listInvoices(...args), unknown),
    fetchInvoice: (...args) => enter('gateway.fetchInvoice', () => gateway.fetchInvoice(...args), unknown),
    listPaidInvoices: (...args) => enter('gateway.listPaidInvoices', () => gateway.listPaidInvoices(...args), unknown),
    refundSubscription: (...args) =>
      enter('gateway.refundSubscription', () => gateway.refundSubscription(...args), unknown),
    listOwed: (...args) => enter('gateway.listOwed', () => gateway.listOwed(...args), unknown),
    writeOff: (...args) => enter('gateway.writeOff', () => gateway.writeOff(...args), unknown),
    createSetupIntent: (...args) =>
      enter('gateway.createSetupIntent', () => gateway.createSetupIntent(...args), unknown),
    listCards: (...args) => enter('gateway.listCards', () => gateway.listCards(...args), unknown),
    fetchCard: (...args) => enter('gateway.fetchCard', () => gateway.fetchCard(...args), unknown),
    fetchDefaultCard: (...args) => enter('gateway.fetchDefaultCard', () => gateway.fetchDefaultCard(...args), unknown),
    setDefaultCard: (...args) => enter('gateway.setDefaultCard', () => gateway.setDefaultCard(...args), unknown),
    listPaidCards: (...args) => enter('gateway.listPaidCards', () => gateway.listPaidCards(...args), unknown),
    removeCard: (...args) => enter('gateway.removeCard', () => gateway.removeCard(...args), unknown),
  }
}

/** The index, of which every call passes the gate. */
export function gatedSlots(slots: SlotListing, enter: Enter): SlotListing {
  return {
    listPending: () => enter('slots.listPending', () => slots.listPending(), away),
  }
}

/** The place of the pass and the slots that it compares, of which every call passes the gate. */
export function gatedPasses(passes: PassRecords, enter: Enter): PassRecords {
  return {
    readPass: () => enter('passes.readPass', () => passes.readPass(), away),
    writePass: (...args) => enter('passes.writePass', () => passes.writePass(...args), away),
    readSlots: (...args) => enter('passes.readSlots', () => passes.readSlots(...args), away),
    markSeen: (...args) => enter('passes.markSeen', () => passes.markSeen(...args), away),
    noteExpiringCard: (...args) => enter('passes.noteExpiringCard', () => passes.noteExpiringCard(...args), away),
    listHeld: (...args) => enter('passes.listHeld', () => passes.listHeld(...args), away),
  }
}

/** The gateway's lists, of which every call passes the gate. */
export function gatedListing(listing: GatewayListing, enter: Enter): GatewayListing {
  return {
    gateway: listing.gateway,
    listSubscriptions: (...args) =>
      enter('listing.listSubscriptions', () => listing.listSubscriptions(...args), unknown),
    listCustomerSubscriptions: (...args) =>
      enter('listing.listCustomerSubscriptions', () => listing.listCustomerSubscriptions(...args), unknown),
    listCustomers: (...args) => enter('listing.listCustomers', () => listing.listCustomers(...args), unknown),
    listUndeliveredEvents: (...args) =>
      enter('listing.listUndeliveredEvents', () => listing.listUndeliveredEvents(...args), unknown),
    listReversals: (...args) => enter('listing.listReversals', () => listing.listReversals(...args), unknown),
    listOverdue: (...args) => enter('listing.listOverdue', () => listing.listOverdue(...args), unknown),
    findPaidInvoice: (...args) => enter('listing.findPaidInvoice', () => listing.findPaidInvoice(...args), unknown),
    countRedemptions: (...args) => enter('listing.countRedemptions', () => listing.countRedemptions(...args), unknown),
  }
}

/** The users, of whom every look-up passes the gate. */
export function gatedUsers(users: Pick<Users, 'find'>, enter: Enter): Pick<Users, 'find'> {
  return { find: (...args) => enter('users.find', () => users.find(...args), away) }
}

/** A key service that binds a customer id to its organization, every call through the gate. Not encrypted, only bound. */
export function gatedCipher(enter: Enter): CustomerCipher {
  return {
    encrypt: (organizationId, customerId) =>
      enter('cipher.encrypt', async () => `${organizationId}|${customerId}`, away),
    decrypt: (organizationId, cipher) => enter('cipher.decrypt', async () => opened(organizationId, cipher), away),
  }
}

function opened(organizationId: string, cipher: string): string {
  const [owner, customerId] = cipher.split('|')
  if (owner !== organizationId || customerId === undefined) throw new Error('Encrypted for another organization')
  return customerId
}
