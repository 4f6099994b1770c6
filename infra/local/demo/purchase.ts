import type * as z from 'zod'
import { productAt } from '../../data/catalog.ts'
import { answers } from './answers.ts'
import { expectEqual, type Scene } from './scene.ts'

/** The products of the story: two to buy, and a third whose payment the buyer confirms. */
export const [base, addon, confirmed] = [productAt(1), productAt(2), productAt(3)]

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
/** For each line of a cart its error, or the status of its subscription. */
const outcomes = (lines: z.output<typeof answers.cart>) =>
  lines.map(({ error, subscription }) => error ?? subscription?.status)

/** Lists products, previews a cart with and without a coupon, buys it at exactly that price, and has later purchases refused. */
export async function buy(scene: Scene): Promise<void> {
  scene.title('What is sold')
  const { products } = await scene.send('GET /api/billing/products', answers.products)

  scene.title('What a cart would cost, without a coupon and with one: it goes to one line')
  const cart = { product_codes: [base.planCode, addon.planCode] }
  const full = await scene.send('POST /api/billing/checkout/preview', answers.preview, { body: cart })
  const listed = products.filter(({ plan_code }) => cart.product_codes.includes(plan_code))
  expectEqual('the total', full.total, sumOf(listed.map(({ price }) => price.amount)))
  // A user may use a coupon only once, in any organization, so each run of the demo creates its own coupon.
  const { id: coupon_code } = await scene.stripe.coupons.create({ percent_off: 25, duration: 'once' })
  const withCoupon = { ...cart, coupon_code }
  const reduced = await scene.send('POST /api/billing/checkout/preview', answers.preview, { body: withCoupon })
  expectEqual('that it is cheaper', reduced.total < full.total, true)

  scene.title('Set up a card: Stripe.js sends it to the gateway, with the secret')
  const card = await scene.addCard('pm_card_visa')

  scene.title('Buy the line that takes the coupon, and a product that does not exist')
  const order = { product_codes: [base.planCode, 'no_such_plan'], coupon_code, payment_method_id: card }
  const bought = await scene.send('POST /api/billing/checkout', answers.cart, { body: order, status: 201 })
  expectEqual('the lines', outcomes(bought), ['active', 'unknown_plan'])
  const { invoices } = await scene.send('GET /api/billing/invoices', answers.invoices)
  expectEqual('what was paid', sumOf(invoices.map(({ amount_paid }) => amount_paid)), reduced.total)

  scene.title('Send the same cart again: nothing is charged twice')
  const again = await scene.send('POST /api/billing/checkout', answers.cart, { body: order, status: 409 })
  expectEqual('the lines', outcomes(again), ['already_subscribed', 'unknown_plan'])

  scene.title('Buy the other product at its price')
  const other = { product_codes: [addon.planCode], payment_method_id: card }
  const second = await scene.send('POST /api/billing/checkout', answers.cart, { body: other, status: 201 })
  expectEqual('the lines', outcomes(second), ['active'])

  scene.title('Use the coupon again: it is refused')
  const body = { product_codes: [productAt('last').planCode], coupon_code }
  const reused = await scene.send('POST /api/billing/checkout', answers.cart, { body, status: 409 })
  expectEqual('the lines', outcomes(reused), ['coupon_already_redeemed'])
}

/** Buys with a card that requires 3-D Secure, and reloads the page before the buyer confirms. */
export async function authenticate(scene: Scene): Promise<void> {
  scene.title('Buy with a card that asks for 3-D Secure')
  const body = {
    product_codes: [confirmed.planCode],
    payment_method_id: await scene.addCard('pm_card_threeDSecure2Required'),
  }
  const pending = await scene.send('POST /api/billing/checkout', answers.cart, { body, status: 201 })
  expectEqual('the lines', outcomes(pending), ['incomplete'])

  scene.title('The page is loaded again: `action` says what to do, `pay` gives the secret again')
  const view = ({ subscriptions }: z.output<typeof answers.subscriptions>) =>
    subscriptions.flatMap(({ product, status, action }) => (product === confirmed.product ? [status, action] : []))
  const loaded = ['incomplete', 'confirm_payment']
  await scene.until('GET /api/billing/subscriptions', answers.subscriptions, view, loaded)
  const line = `POST /api/billing/subscriptions/${confirmed.product}/pay` as const
  const { client } = await scene.send(line, answers.payment, { body: {} })
  expectEqual('the secret', client.client_secret, pending[0]?.client?.client_secret)

  scene.note('The buyer confirms in the dialog of Stripe.js; the event of the gateway follows.')
  await scene.authenticate(client.client_secret)
  await scene.until('GET /api/billing/subscriptions', answers.subscriptions, view, ['active', 'none'])
}
