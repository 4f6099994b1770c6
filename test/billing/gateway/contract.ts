import { describe } from '@jest/globals'
import { describeCards } from './cardsContract.ts'
import { describeCatalog } from './catalogContract.ts'
import { describeCustomers } from './customersContract.ts'
import { describeEvents } from './eventsContract.ts'
import type { GatewayUnderTest } from './gatewayUnderTest.ts'
import { describeCardInvoices, describeInvoices } from './invoicesContract.ts'
import { describeCardPurchases, describePurchases } from './purchasesContract.ts'
import { describeSentInvoices } from './sentInvoicesContract.ts'

const everyGateway = [describeCatalog, describeCustomers, describePurchases, describeInvoices, describeEvents]
const collected = {
  'by card': [describeCards, describeCardPurchases, describeCardInvoices],
  'by invoice': [describeSentInvoices],
} as const

/**
 * What a gateway must do for the purchase protocol to hold: a key sells once, an answer that is not known is never a refusal, a look-up
 * finds a purchase in every status, an end is final, an event is recognized by its signature, an answer is covered until it was asked
 * for; and what follows from how it is paid.
 */
export function describeGateway(name: string, paid: keyof typeof collected, open: () => GatewayUnderTest): void {
  describe(name, () => {
    for (const describePort of [...everyGateway, ...collected[paid]]) describePort(open)
  })
}
