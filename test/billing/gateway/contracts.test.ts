import { describeGateway } from './contract.ts'
import { openFake } from './fakeUnderTest.ts'
import { openStripe } from './stripeUnderTest.ts'

describeGateway('The gateway `card` on Stripe', 'by card', () => openStripe('card'))
describeGateway('The gateway `invoice` on Stripe', 'by invoice', () => openStripe('invoice'))
describeGateway('The fake gateway', 'by card', () => openFake({ takesCards: true }))
describeGateway('The fake gateway without cards', 'by invoice', () => openFake({ takesCards: false }))
