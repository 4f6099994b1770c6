import type * as z from 'zod'
import type { LocalInfo } from '../info.ts'
import { answers } from './answers.ts'
import { addon, authenticate, base, buy, confirmed } from './purchase.ts'
import { receiveEvents } from './receiveEvents.ts'
import { createScene, expectEqual, type Narrator, type Scene } from './scene.ts'

/**
 * Plays the life of a customer in a new organization, as a billing page shows it: prices, a purchase, 3-D Secure, cards, a declined
 * renewal, invoices, cancellations, the address, the audit log and the events. Advances the stack's clock by 32 days.
 * @throws Error at the first unexpected answer
 */
export async function playStory(info: LocalInfo, narrator: Narrator): Promise<void> {
  const scene = createScene(info, narrator)
  scene.title('Sign in, and create an organization')
  scene.note('An authorization code is exchanged for an access token, which every request carries.')
  await scene.signIn()
  await scene.send('GET /api/users/me', answers.any)
  const body = { name: 'Harbour Robotics' }
  const { id } = await scene.send('POST /api/organizations', answers.organization, { body, status: 201 })
  scene.enter(id)
  await scene.send(`GET /api/organizations/${id}`, answers.organization)

  await buy(scene)
  await authenticate(scene)
  await changeCard(scene)
  await renew(scene)
  await readInvoices(scene)
  await cancelAndResume(scene, id)
  await editDetails(scene)
  await readAuditLog(scene, id)
  const { entitlements } = await scene.send('GET /api/billing/entitlements', answers.entitlements)
  await receiveEvents(scene, id, entitlements)
}

const MONTH_AND_DRAFT_SECONDS = 32 * 86_400

/** Makes another card the default, and removes the previous card. */
async function changeCard(scene: Scene): Promise<void> {
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
async function renew(scene: Scene): Promise<void> {
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

/** Reads invoices page by page, and opens their links. */
async function readInvoices(scene: Scene): Promise<void> {
  scene.title('Invoices, two at a time, with their page and PDF')
  const first = await scene.send('GET /api/billing/invoices?limit=2', answers.invoices)
  await scene.send(`GET /api/billing/invoices?limit=2&cursor=${first.next_cursor}`, answers.invoices)
  for (const { hosted_invoice_url, invoice_pdf } of first.invoices.slice(0, 1)) {
    for (const url of [hosted_invoice_url, invoice_pdf]) {
      const response = await fetch(url)
      const size = (await response.arrayBuffer()).byteLength
      scene.note(`${url}\n${response.status} ${response.headers.get('content-type')}, ${size} bytes`)
      expectEqual(`the status of ${url}`, response.status, 200)
    }
  }
}

/** Changes the billing address, if no other page has changed it meanwhile. */
async function editDetails(scene: Scene): Promise<void> {
  scene.title('Edit the billing address: If-Match names what the page shows')
  const line = 'PATCH /api/billing/details'
  const [, etag] = await scene.sendForETag('GET /api/billing/details', answers.details)
  const headers = { 'If-Match': etag }
  const body = { address: { line1: '12 Harbour Street', city: 'Dublin', postal_code: 'D02 X285', country: 'IE' } }
  const changed = await scene.send(line, answers.details, { body, headers })
  expectEqual('the city', changed.address?.city, 'Dublin')

  scene.title('A second page that still shows the old one overwrites nothing')
  const refused = await scene.send(line, answers.refusal, { body: { address: null }, headers, status: 412 })
  expectEqual('the code', refused.code, 'precondition_failed')
}

/** Reads who changed what: the buyer made purchases; the gateway renewed and ended subscriptions. */
async function readAuditLog(scene: Scene, organizationId: string): Promise<void> {
  scene.title('Who changed what')
  const line = `GET /api/organizations/${organizationId}/audit-log?limit=100` as const
  const { entries } = await scene.send(line, answers.auditLog)
  const actors = [...new Set(entries.map(({ actor }) => actor.type))].sort()
  expectEqual('the actors', actors, ['gateway', 'user'])
}

const activeProducts = ({ entitlements }: z.output<typeof answers.entitlements>) =>
  entitlements.flatMap(({ product, active }) => (active ? [product] : []))
const entitled = (scene: Scene, expected: readonly string[]) =>
  scene.until('GET /api/billing/entitlements', answers.entitlements, activeProducts, expected)

/** Cancels and resumes, cancels at once, and cancels at the gateway. */
async function cancelAndResume(scene: Scene, organizationId: string): Promise<void> {
  scene.title('Cancel at the end of the period, and take it back')
  const body = { product: addon.product }
  const scheduled = await scene.send('POST /api/billing/cancel', answers.cancellation, { body })
  expectEqual('the answer', scheduled.status, 'cancellation_scheduled')
  const { subscriptions } = await scene.send('GET /api/billing/subscriptions', answers.subscriptions)
  const ending = subscriptions.flatMap(({ product, cancel_at }) => (cancel_at === null ? [] : [product]))
  expectEqual('what ends', ending, [addon.product])
  const resumed = await scene.send(`POST /api/billing/subscriptions/${addon.product}/resume`, answers.subscription)
  expectEqual('the end', resumed.cancel_at, null)

  scene.title('Cancel at once: other products are not affected')
  const atOnce = { product: base.product, at_period_end: false }
  const canceled = await scene.send('POST /api/billing/cancel', answers.cancellation, { body: atOnce })
  expectEqual('the answer', canceled.status, 'canceled')
  await entitled(scene, [addon.product, confirmed.product])

  scene.title('A subscription that ends at the gateway: its event updates the record')
  const query = `metadata['organization_id']:'${organizationId}' AND metadata['product']:'${confirmed.product}'`
  const { data } = await scene.stripe.subscriptions.search({ query })
  for (const { id } of data) await scene.stripe.subscriptions.cancel(id)
  await entitled(scene, [addon.product])
}
