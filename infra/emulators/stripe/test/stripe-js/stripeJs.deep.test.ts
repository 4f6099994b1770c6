import { describe, expect, it } from '@jest/globals'
import axe from 'axe-core'
import * as z from 'zod'
import { waitUntil } from '../support/useBrowser.ts'
import { useTab } from '../support/useTab.ts'
import { openShop } from './openShop.ts'

const { describeInBrowser, opened: shop, page } = useTab('stripe-js/stripeJs', openShop)

const findings = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }))

/** What axe-core finds wrong with the page and the frames in it, which are of another origin. */
async function violations(): Promise<string[]> {
  for (const frame of page().frames()) {
    await frame.evaluate(axe.source)
    await frame.evaluate("axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })")
    // The fields are transparent, which axe-core takes for white: they get the ground that the shop has behind them.
    if (frame.url().endsWith('/card.html'))
      await frame.evaluate("document.documentElement.style.background = 'light-dark(#f6f8fb, #1d2230)'")
  }
  const found = findings.parse(await page().evaluate('axe.run().then(({ violations }) => violations)'))
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)
}

const cardSetup = (secret: string, method = '{ card: element, billing_details: { name: "Ada" } }') =>
  `stripe.confirmCardSetup('${secret}', { payment_method: ${method} })`
const refused = (code: string) => ({ error: { code, message: expect.any(String), type: expect.any(String) } })

describeInBrowser('Stripe.js of the emulator', () => {
  describe('Given a card element', () => {
    it('saves a card whose data only the frame of the emulator sends', async () => {
      const { secret, customer } = await shop().openSetup()
      await shop().mount('card')
      await shop().fill('4242 4242 4242 4242')
      await shop().begin(cardSetup(secret))
      expect(await shop().result()).toMatchObject({ setupIntent: { status: 'succeeded', client_secret: secret } })
      const { data } = await shop().stripe.customers.listPaymentMethods(customer)
      expect(data).toMatchObject([
        {
          card: { last4: '4242', exp_month: 12, exp_year: 2034 },
          billing_details: { name: 'Ada', address: { postal_code: '12345' } },
        },
      ])
      const withNumber = shop().sent.filter(({ body }) => body.includes('4242'))
      expect(withNumber.map(({ from }) => from)).toEqual([shop().apiBase])
      expect(shop().errors).toEqual([])
    })

    it('reports what the buyer does, and never what is typed', async () => {
      await shop().mount('card')
      await shop().fields.getByLabel('Card number').pressSequentially('5555555555554444')
      await shop().fields.getByLabel('Expiration date').pressSequentially('1234')
      await shop().fields.getByLabel('Security code').pressSequentially('123')
      await shop().fields.getByLabel('Postal code').pressSequentially('10115')
      await page().keyboard.press('Escape')
      // The frame reports by messages, which come after the key.
      await waitUntil(page(), "happened.findLast(({ name }) => name === 'change').value.postalCode === '10115'")
      const happened = z.array(z.looseObject({ name: z.string() })).parse(await page().evaluate('happened'))
      expect(happened[0]).toEqual({ name: 'focus', elementType: 'card' })
      expect(happened.findLast(({ name }) => name === 'change')).toEqual({
        name: 'change',
        elementType: 'card',
        brand: 'mastercard',
        complete: true,
        empty: false,
        value: { postalCode: '10115' },
      })
      expect(JSON.stringify(happened)).not.toMatch(/4444|1234|123"/)
    })

    it('answers what is wrong with the fields, marks them and creates nothing', async () => {
      const { secret, id } = await shop().openSetup()
      await shop().mount('card')
      await shop().fill('4242 4242 4242 4241', '12 / 20', '12', '')
      await shop().begin(cardSetup(secret))
      expect(await shop().result()).toEqual({
        error: { type: 'validation_error', code: 'invalid_number', message: 'Your card number is invalid.' },
      })
      const problems = await shop().fields.locator('.problem').allTextContents()
      expect(problems).toEqual([
        'Your card number is invalid.',
        "Your card's expiration year is in the past.",
        "Your card's security code is incomplete.",
        'Your postal code is incomplete.',
      ])
      expect(await shop().fields.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true')
      expect(await page().locator('#card').getAttribute('class')).toContain('StripeElement--invalid')
      expect((await shop().stripe.setupIntents.retrieve(id)).status).toBe('requires_payment_method')
    })

    it('lets a digit be changed in the middle, and deletes through separators', async () => {
      await shop().mount('payment')
      const [number, expiry] = [shop().fields.getByLabel('Card number'), shop().fields.getByLabel('Expiration date')]
      await number.pressSequentially('424242')
      for (let presses = 0; presses < 2; presses++) await page().keyboard.press('ArrowLeft')
      await page().keyboard.press('Backspace')
      expect(await number.inputValue()).toBe('4244 2')
      await page().keyboard.type('59')
      expect(await number.inputValue()).toBe('4245 942')
      await expiry.pressSequentially('934')
      expect(await expiry.inputValue()).toBe('09 / 34')
      for (let presses = 0; presses < 3; presses++) await page().keyboard.press('Backspace')
      expect(await expiry.inputValue()).toBe('0')
    })

    it('is focused by its label, cleared, changed, submitted by Enter, unmounted and mounted again', async () => {
      await shop().mount('card', '{}', '{ hidePostalCode: true }')
      await page().locator('label').click()
      await waitUntil(page(), "happened.at(-1)?.name === 'focus'")
      await page().keyboard.type('4242')
      expect(await shop().fields.getByLabel('Card number').inputValue()).toBe('4242')
      expect(await shop().fields.getByLabel('Postal code').count()).toBe(1)
      expect(await shop().fields.getByLabel('Postal code').isVisible()).toBe(false)
      await page().evaluate('void element.update({ hidePostalCode: false, disabled: true })')
      await shop().fields.getByLabel('Postal code').and(shop().fields.locator(':disabled')).waitFor()
      await page().evaluate('void element.update({ disabled: false })')
      await page().evaluate('element.clear()')
      await waitUntil(page(), 'happened.at(-1).empty === true')
      await page().evaluate(
        "void form.addEventListener('submit', (event) => { event.preventDefault(); happened.push({ name: 'submitted' }) })",
      )
      await shop().fields.getByLabel('Card number').press('Enter')
      await waitUntil(page(), "happened.at(-1).name === 'submitted'")
      await page().evaluate('element.unmount()')
      expect(await page().locator('iframe').count()).toBe(0)
      expect(await page().locator('#card').getAttribute('class')).toBe('')
      await page().evaluate("element.mount('#card')")
      await shop().fields.getByLabel('Card number').fill('4242')
      await page().evaluate('element.destroy()')
      expect(await page().evaluate("elements.getElement('card')")).toBeNull()
    })

    it.each([
      ['4000 0000 0000 0002', { code: 'card_declined', decline_code: 'generic_decline' }],
      ['4000 0000 0000 9995', { code: 'card_declined', decline_code: 'insufficient_funds' }],
      ['4000 0000 0000 0127', { code: 'incorrect_cvc', decline_code: 'incorrect_cvc' }],
    ])('answers the decline of %s', async (number, error) => {
      const { secret } = await shop().openSetup()
      await shop().mount('card')
      await shop().fill(number)
      await shop().begin(cardSetup(secret))
      expect(await shop().result()).toMatchObject({
        error: { type: 'card_error', ...error, setup_intent: { status: 'requires_payment_method' } },
      })
    })
  })

  describe('Given a card that needs 3-D Secure', () => {
    const ends = {
      complete: () => shop().bankButton('Complete').click(),
      fail: () => shop().bankButton('Fail').click(),
      close: () => shop().bankButton('Close').click(),
      escape: () => shop().bankButton('Complete').press('Escape'),
    }

    it('succeeds when the buyer completes the step, and gives the focus back', async () => {
      const { secret } = await shop().openSetup()
      await shop().mount('card')
      await shop().fill('4000 0025 0000 3155')
      await page().getByRole('button', { name: 'Save' }).focus()
      await shop().begin(cardSetup(secret))
      await shop().bank.getByText('Visa •••• 3155').waitFor()
      await shop().bank.locator('#complete:focus').waitFor()
      await ends.complete()
      expect(await shop().result()).toMatchObject({ setupIntent: { status: 'succeeded' } })
      expect(await page().evaluate('document.activeElement.textContent')).toBe('Save')
      expect(await page().locator('dialog').count()).toBe(0)
      expect(shop().errors).toEqual([])
    })

    it.each(['fail', 'close', 'escape'] as const)('fails when the buyer ends it by: %s', async (end) => {
      const { secret, id } = await shop().openSetup()
      await shop().mount('card')
      await shop().fill('4000 0025 0000 3155')
      await shop().begin(cardSetup(secret))
      await shop().bankButton('Complete').waitFor()
      await ends[end]()
      expect(await shop().result()).toMatchObject({
        error: { code: 'setup_intent_authentication_failure', setup_intent: { id, status: 'requires_payment_method' } },
      })
    })

    it('waits where the page asks for that, and goes on after a reload', async () => {
      const { id, secret } = await shop().openPayment()
      await shop().mount('card')
      await shop().fill('4000 0027 6000 3184')
      await shop().begin(
        `stripe.confirmCardPayment('${secret}', { payment_method: { card: element } }, { handleActions: false })`,
      )
      expect(await shop().result()).toMatchObject({ paymentIntent: { id, status: 'requires_action' } })
      await page().reload()
      await page().evaluate("window.stripe = Stripe('pk_test_local')")
      await shop().begin(`stripe.handleNextAction({ clientSecret: '${secret}' })`)
      await shop().bank.getByText('$49.00').waitFor()
      await ends.complete()
      expect(await shop().result()).toMatchObject({ paymentIntent: { id, status: 'succeeded' } })
      await shop().begin(`stripe.retrievePaymentIntent('${secret}')`)
      expect(await shop().result()).toMatchObject({ paymentIntent: { status: 'succeeded' } })
    })

    it.each([
      ['Fail', 'pm_card_threeDSecure2Required', 'payment_intent_authentication_failure'],
      ['Complete', 'pm_card_threeDSecureRequiredChargeDeclined', 'card_declined'],
    ])('answers why a payment failed, after %s with %s', async (button, card, code) => {
      const { secret } = await shop().openPayment()
      await shop().begin(`stripe.confirmCardPayment('${secret}', { payment_method: '${card}' })`)
      await shop().bankButton(button).click()
      expect(await shop().result()).toMatchObject({
        error: {
          type: 'card_error',
          code,
          payment_intent: { status: 'requires_payment_method' },
          payment_method: { type: 'card' },
        },
      })
    })

    it('takes the end of the step from elsewhere, and asks nothing more', async () => {
      const { id, secret } = await shop().openPayment()
      await shop().begin(`stripe.confirmCardPayment('${secret}', { payment_method: 'pm_card_threeDSecure2Required' })`)
      await shop().bankButton('Fail').waitFor()
      await shop().authenticate(id, 'succeed')
      await shop().bankButton('Fail').click()
      expect(await shop().result()).toMatchObject({ paymentIntent: { status: 'succeeded' } })
    })
  })

  describe('Given a payment element', () => {
    it('pays, and leads back to the page that is named', async () => {
      const { id, secret } = await shop().openPayment()
      await shop().mount('payment', `{ clientSecret: '${secret}', appearance: { theme: 'stripe' } }`)
      await shop().fill('4242 4242 4242 4242')
      await shop().begin('elements.submit()')
      expect(await shop().result()).toEqual({ selectedPaymentMethod: 'card' })
      await shop().begin("stripe.confirmPayment({ elements, confirmParams: { return_url: location.href + 'done' } })")
      await page().waitForURL(/\/done\?/)
      expect(Object.fromEntries(new URL(page().url()).searchParams)).toEqual({
        payment_intent: id,
        payment_intent_client_secret: secret,
        redirect_status: 'succeeded',
      })
      expect((await shop().stripe.paymentIntents.retrieve(id)).amount_received).toBe(4900)
    })

    it('sets up without leaving the page, and says which field is incomplete', async () => {
      const { secret } = await shop().openSetup()
      await shop().mount(
        'payment',
        `{ clientSecret: '${secret}' }`,
        "{ fields: { billingDetails: { address: 'never' } } }",
      )
      await shop().begin('elements.submit()')
      expect(await shop().result()).toMatchObject(refused('incomplete_number'))
      await shop().fields.getByLabel('Card number').fill('4242424242424242')
      await shop().fields.getByLabel('Expiration date').fill('1234')
      await shop().fields.getByLabel('Security code').fill('123')
      await shop().begin("stripe.confirmSetup({ elements, redirect: 'if_required' })")
      expect(await shop().result()).toMatchObject({ setupIntent: { status: 'succeeded' } })
    })
  })

  it('creates payment methods of elements and of test tokens', async () => {
    await shop().mount('card')
    await shop().fill('4242 4242 4242 4242')
    await shop().begin(
      "stripe.createPaymentMethod({ type: 'card', card: element, billing_details: { email: 'ada@example.com' } })",
    )
    expect(await shop().result()).toMatchObject({
      paymentMethod: { type: 'card', card: { last4: '4242' }, billing_details: { email: 'ada@example.com' } },
    })
    await shop().begin("stripe.createPaymentMethod({ type: 'card', card: { token: 'tok_amex' } })")
    expect(await shop().result()).toMatchObject({ paymentMethod: { card: { brand: 'amex' } } })
  })

  it('refuses secret keys, and client secrets that are none', async () => {
    await expect(page().evaluate("Stripe('sk_test_emulator')")).rejects.toThrow('should not use your secret key')
    await expect(page().evaluate("stripe.confirmCardSetup('seti_1')")).rejects.toThrow('should be a client secret')
    const { secret } = await shop().openPayment()
    await shop().begin(`stripe.retrievePaymentIntent('${secret}x')`)
    expect(await shop().result()).toMatchObject(refused('payment_intent_invalid_parameter'))
  })

  it.each([
    "confirmPayment({ elements: null, clientSecret: secret, redirect: 'if_required' })",
    "confirmSetup({ elements: null, clientSecret: 'seti_1_secret_1', redirect: 'if_required' })",
    'createPaymentMethod({ elements: null })',
    'createConfirmationToken({ elements: null })',
    "createPaymentMethod({ type: 'card', card: null })",
    'confirmCardPayment(secret, { payment_method: { card: null } })',
  ])('throws an IntegrationError for null, which a hook returns before the script is loaded: %s', async (call) => {
    const { secret } = await shop().openPayment()
    const source = `(() => { const secret = '${secret}'; return stripe.${call} })()`
    const caught = await page().evaluate(`${source}.catch(({ name, message }) => name + ': ' + message)`)
    expect(caught).toMatch(/^IntegrationError: Invalid value for .+ You specified: null\.$/)
  })

  it('wants the form of a later intent to be submitted first', async () => {
    const { secret } = await shop().openPayment()
    await shop().mount('payment', "{ mode: 'payment', amount: 4900, currency: 'usd', setupFutureUsage: 'off_session' }")
    const confirm = `stripe.confirmPayment({ elements, clientSecret: '${secret}', redirect: 'if_required' })`
    await expect(page().evaluate(confirm)).rejects.toThrow(
      'elements.submit() must be called before stripe.confirmPayment',
    )
    await shop().fill('4242 4242 4242 4242')
    await shop().begin('elements.submit()')
    await shop().result()
    await shop().begin('stripe.createConfirmationToken({ elements })')
    expect(await shop().result()).toMatchObject({
      confirmationToken: { setup_future_usage: 'off_session', payment_method_preview: { card: { last4: '4242' } } },
    })
    await shop().begin(confirm)
    expect(await shop().result()).toMatchObject({ paymentIntent: { status: 'succeeded' } })
  })

  it.each(['createToken', 'confirmKlarnaPayment', 'paymentRequest', 'createEmbeddedCheckoutPage'])(
    'rejects with a sentence what it does not cover: %s',
    async (method) => {
      const sentence = `The emulator of Stripe.js does not cover stripe.${method}. `
      await expect(page().evaluate(`stripe.${method}({})`)).rejects.toThrow(sentence)
    },
  )

  it('answers an error of its own where the API cannot be reached', async () => {
    const { secret } = await shop().openPayment()
    await page().route('**/v1/**', (route) => route.abort())
    await shop().begin(`stripe.retrievePaymentIntent('${secret}')`)
    expect(await shop().result()).toMatchObject({ error: { type: 'api_connection_error' } })
    await page().unroute('**/v1/**')
  })

  describe('Given axe-core', () => {
    it.each(['card', 'payment'] as const)('has nothing to find in a %s element with problems', async (type) => {
      const { secret } = await shop().openSetup()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page().emulateMedia({ colorScheme })
        await page().reload()
        await page().evaluate("window.stripe = Stripe('pk_test_local'); window.happened = []")
        await shop().mount(type, `{ clientSecret: '${secret}' }`)
        await shop().fill('4242 4242 4242 4241', '12 / 20', '12', '1')
        await shop().begin('elements.submit()')
        await shop().result()
        expect(await violations()).toEqual([])
      }
    })

    it('has nothing to find in the 3-D Secure dialog', async () => {
      const { secret } = await shop().openPayment()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page().emulateMedia({ colorScheme })
        await shop().begin(
          `stripe.confirmCardPayment('${secret}', { payment_method: 'pm_card_threeDSecure2Required' })`,
        )
        await shop().bank.getByText('$49.00').waitFor()
        expect(await violations()).toEqual([])
        await shop().bankButton('Close').click()
        await shop().result()
      }
    })
  })
})
