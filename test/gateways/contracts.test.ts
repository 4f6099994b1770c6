import { describe } from '@jest/globals'
import { describeCards } from './cardsContract.ts'
import { describeCatalog } from './catalogContract.ts'
import { describeCustomers } from './customersContract.ts'
import { describeEvents } from './eventsContract.ts'
import { openFake } from './fakeUnderTest.ts'
import { describeCardInvoices, describeInvoices } from './invoicesContract.ts'
import { describeCardPurchases, describePurchases } from './purchasesContract.ts'
import { openStripe } from './stripeUnderTest.ts'

const everyGateway = [describeCatalog, describeCustomers, describePurchases, describeInvoices, describeEvents]
const withCards = [describeCards, describeCardPurchases, describeCardInvoices]

describe('Stripe’s adapter', () => {
  for (const describePort of [...everyGateway, ...withCards]) describePort(() => openStripe())
})

describe('The fake gateway', () => {
  for (const describePort of [...everyGateway, ...withCards]) describePort(() => openFake({ takesCards: true }))
})

describe('The fake gateway without cards', () => {
  for (const describePort of everyGateway) describePort(() => openFake({ takesCards: false }))
})
