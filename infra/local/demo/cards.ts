import type * as z from 'zod'
import { answers } from './answers.ts'
import { expectEqual, type Scene } from './scene.ts'

const MONTH_AND_DRAFT_SECONDS = 32 * 86_400

/** Makes another card the default, and removes the previous card. */
export async function changeCard(scene: Scene): Promise<void> {
  scene.title('Change the card')
  const { payment_methods } = await scene.send('GET /api/billing/payment-methods', answers.cards)
  const before = payment_methods.find(({ is_default }) => is_default)?.id
  const card = await scene.addCard('pm_card_mastercard')
  await scene.send(`POST /api/billing/payment-methods/${card}/default`, answers.any)
  await scene.send(`DELETE /api/billing/payment-methods/${before}`, answers.any, { status: 204 })
  const after = await scene.send('GET /api/billing/payment-methods', answers.cards)
  const defaults = after.payment_methods.flatMap(({ id, is_default }) => (is_default ? [id] : []))
  expectEqual('the default', defaults, [card])
}

/** Pays a declined renewal after replacing the card: no subscription ends. */
export async function renew(scene: Scene): Promise<void> {
  scene.title('A month later the card is declined')
  const declined = await scene.addCard('pm_card_chargeCustomerFail')
  await scene.send(`POST /api/billing/payment-methods/${declined}/default`, answers.any)
  scene.note('The clock is advanced by 32 days. Every subscription is renewed, and no payment succeeds.')
  await scene.control('clock', { advance_seconds: MONTH_AND_DRAFT_SECONDS })
  await scene.signIn()
  const view = ({ subscriptions }: z.output<typeof answers.subscriptions>) => [
    ...new Set(subscriptions.map(({ status, action }) => `${status}: ${action}`)),
  ]
  const overdue = ['past_due: update_payment_method']
  const { subscriptions } = await scene.until('GET /api/billing/subscriptions', answers.subscriptions, view, overdue)

  scene.title('Replace it, and pay what is open')
  const card = await scene.addCard('pm_card_visa')
  await scene.send(`POST /api/billing/payment-methods/${card}/default`, answers.any)
  for (const { product } of subscriptions) {
    const paid = await scene.send(`POST /api/billing/subscriptions/${product}/pay`, answers.payment, { body: {} })
    expectEqual('the status', paid.subscription.status, 'active')
  }
}
