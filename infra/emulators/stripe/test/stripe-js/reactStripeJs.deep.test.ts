import { expect, it } from '@jest/globals'
import { useTab } from '../support/useTab.ts'
import { openReactShop } from './openReactShop.ts'

const { describeInBrowser, opened: shop } = useTab('stripe-js/reactStripeJs', openReactShop)

/** React and Stripe.js have nothing to say against the page, and each form has one frame, though StrictMode mounts it twice. */
async function expectQuiet(): Promise<void> {
  expect(await shop().frames()).toBe(1)
  expect(shop().errors).toEqual([])
}

describeInBrowser("Stripe's React library, under StrictMode, with the emulator's Stripe.js", () => {
  it('saves a card by a PaymentElement', async () => {
    const { id: customer } = await shop().stripe.customers.create()
    const { client_secret } = await shop().stripe.setupIntents.create({ customer })
    await shop().start('setup', client_secret ?? '')
    await shop().pay('4242424242424242')
    expect(JSON.parse(await shop().outcome())).toMatchObject({ setupIntent: { status: 'succeeded' } })
    expect((await shop().stripe.paymentMethods.list({ customer })).data).toMatchObject([{ card: { last4: '4242' } }])
    await expectQuiet()
  })

  it('pays by a PaymentElement', async () => {
    await shop().start('payment', await shop().openPayment())
    await shop().pay('5555555555554444')
    expect(JSON.parse(await shop().outcome())).toMatchObject({ paymentIntent: { status: 'succeeded', amount: 4900 } })
    await expectQuiet()
  })

  it('pays what is opened after the form was submitted', async () => {
    await shop().start('deferred')
    await shop().pay('4242424242424242')
    expect(JSON.parse(await shop().outcome())).toMatchObject({ paymentIntent: { status: 'succeeded' } })
    await expectQuiet()
  })

  it('shows the step of 3-D Secure', async () => {
    await shop().start('payment', await shop().openPayment())
    await shop().pay('4000002760003184')
    await shop().complete()
    expect(JSON.parse(await shop().outcome())).toMatchObject({ paymentIntent: { status: 'succeeded' } })
    await expectQuiet()
  })

  it('pays by a CardElement, which is found by its component', async () => {
    await shop().start('card', await shop().openPayment())
    await shop().pay('4242424242424242')
    expect(JSON.parse(await shop().outcome())).toMatchObject({ paymentIntent: { status: 'succeeded' } })
    const { data } = await shop().stripe.charges.list()
    expect(data).toMatchObject([{ status: 'succeeded', payment_method_details: { card: { last4: '4242' } } }])
    await expectQuiet()
  })

  it('says why a card was declined', async () => {
    await shop().start('payment', await shop().openPayment())
    await shop().pay('4000000000009995')
    expect(await shop().outcome()).toBe('error: card_declined insufficient_funds')
    expect(await shop().frames()).toBe(1)
    // The browser itself reports the 402.
    expect(shop().errors).toEqual([expect.stringContaining('402')])
  })

  it('lets the server pay by a confirmation token, with the step of 3-D Secure', async () => {
    await shop().start('token')
    await shop().pay('4000002760003184')
    await shop().complete()
    expect(JSON.parse(await shop().outcome())).toMatchObject({ paymentIntent: { status: 'succeeded' } })
    const [intent] = (await shop().stripe.paymentIntents.list({ expand: ['data.payment_method'] })).data
    expect(intent?.payment_method).toMatchObject({ billing_details: { name: 'Ada' }, card: { last4: '3184' } })
    await expectQuiet()
  })
})
