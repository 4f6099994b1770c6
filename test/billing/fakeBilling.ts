import type { BillingRecords, BuyingDeps } from '../../lib/billing/slot/ports.ts'
import { noon } from './fixtures.ts'
import { type GatewayCalls, gatewayWith } from './gatewayCalls.ts'

function unexpected(name: string) {
  return () => {
    throw new Error(`${name} was not expected`)
  }
}

/** The ports of billing with the methods that a test gives; any other one throws. */
export function fakeBilling(given: { records?: Partial<BillingRecords>; gateway?: Partial<GatewayCalls> }): BuyingDeps {
  const gateway: GatewayCalls = {
    prices: unexpected('prices'),
    findCoupon: unexpected('findCoupon'),
    createCustomer: unexpected('createCustomer'),
    fetchCustomer: unexpected('fetchCustomer'),
    deleteCustomer: unexpected('deleteCustomer'),
    fetchDetails: unexpected('fetchDetails'),
    changeDetails: unexpected('changeDetails'),
    freezeSubscription: unexpected('freezeSubscription'),
    createSubscription: unexpected('createSubscription'),
    previewSubscription: unexpected('previewSubscription'),
    previewOpenPayment: unexpected('previewOpenPayment'),
    fetchSubscription: unexpected('fetchSubscription'),
    findSubscription: unexpected('findSubscription'),
    countPurchases: unexpected('countPurchases'),
    findUnpaidInvoice: unexpected('findUnpaidInvoice'),
    finalizeInvoice: unexpected('finalizeInvoice'),
    payInvoice: unexpected('payInvoice'),
    voidInvoice: unexpected('voidInvoice'),
    listOwnCards: unexpected('listOwnCards'),
    setPaymentMethod: unexpected('setPaymentMethod'),
    listCards: unexpected('listCards'),
    fetchCard: unexpected('fetchCard'),
    fetchDefaultCard: unexpected('fetchDefaultCard'),
    setDefaultCard: unexpected('setDefaultCard'),
    listPaidCards: unexpected('listPaidCards'),
    removeCard: unexpected('removeCard'),
    cancelAtPeriodEnd: unexpected('cancelAtPeriodEnd'),
    resumeSubscription: unexpected('resumeSubscription'),
    cancelNow: unexpected('cancelNow'),
    listInvoices: unexpected('listInvoices'),
    fetchInvoice: unexpected('fetchInvoice'),
    listPaidInvoices: unexpected('listPaidInvoices'),
    refundSubscription: unexpected('refundSubscription'),
    listOwed: unexpected('listOwed'),
    writeOff: unexpected('writeOff'),
    createSetupIntent: unexpected('createSetupIntent'),
    ...given.gateway,
  }
  return {
    records: {
      read: unexpected('read'),
      readSlots: unexpected('readSlots'),
      findOrganizations: unexpected('findOrganizations'),
      readSlot: unexpected('readSlot'),
      readAccount: unexpected('readAccount'),
      readTogether: unexpected('readTogether'),
      isRedeemed: unexpected('isRedeemed'),
      commit: unexpected('commit'),
      freezeCustomer: unexpected('freezeCustomer'),
      bindCustomer: unexpected('bindCustomer'),
      unbindCustomer: unexpected('unbindCustomer'),
      switchGateway: unexpected('switchGateway'),
      fenceCards: unexpected('fenceCards'),
      unfenceCards: unexpected('unfenceCards'),
      announce: unexpected('announce'),
      // Said beside what is done, which is what a test looks at.
      addEntry: async () => {},
      recordAccountChange: unexpected('recordAccountChange'),
      ...given.records,
    },
    gateways: { card: gatewayWith(gateway), invoice: gatewayWith(gateway) },
    cipher: { encrypt: unexpected('encrypt'), decrypt: unexpected('decrypt') },
    users: { find: unexpected('users.find') },
    clock: { now: () => noon * 1000, sync: async () => {} },
    ids: { uuid: () => 'uuid', secret: unexpected('secret') },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  }
}
