import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual, styleText } from 'node:util'
import * as z from 'zod'
import type { LocalClient } from './localClient.ts'

const lines = z.array(
  z.object({
    ok: z.boolean(),
    error: z.string().optional(),
    subscription: z.object({ status: z.string(), coupon_code: z.string().nullable() }).optional(),
    client: z.object({ action: z.string(), client_secret: z.string().nullable() }).optional(),
  }),
)
const cancellation = z.object({ status: z.string() })
const entitlements = z.object({ entitlements: z.array(z.object({ product: z.string(), active: z.boolean() })) })

/**
 * A customer's whole story, in a new organization: sign in, set up a card, buy, repeat the purchase, use a coupon, pass 3-D
 * Secure, cancel at the end of the period and immediately, and see the entitlements follow the gateway.
 * @throws Error at the first unexpected answer
 */
export async function playStory(client: LocalClient): Promise<void> {
  title('Sign in')
  const { access_token: token } = await client.signIn('owner')
  const organizationId = await client.newOrganization()
  const me = await client.send({ method: 'GET', path: '/api/users/me', token })
  expectEqual('status', me.status, 200)

  const inOrganization = (path: string) => `${path}?organization_id=${organizationId}`
  const post = (path: string, body: object) => client.send({ method: 'POST', path: inOrganization(path), token, body })
  const checkout = async (body: object) => {
    const answer = await post('/api/billing/checkout', body)
    return { status: answer.status, lines: lines.parse(answer.body) }
  }
  const activeProducts = async () => {
    const { body } = await client.send({ method: 'GET', path: inOrganization('/api/billing/entitlements'), token })
    return entitlements.parse(body).entitlements.flatMap(({ product, active }) => (active ? [product] : []))
  }

  title('Set up a card')
  const visa = await client.addCard({ token, organizationId, testCard: 'pm_card_visa' })

  title('Buy one product and one that does not exist')
  const cart = { product_codes: ['base_ota', 'no_such_plan'], payment_method_id: visa }
  const bought = await checkout(cart)
  expectEqual('status', bought.status, 201)
  expectEqual('lines', bought.lines.map(outcome), ['active', 'unknown_plan'])

  title('Send the same cart again: it is not charged twice')
  const again = await checkout(cart)
  expectEqual('status', again.status, 409)
  expectEqual('lines', again.lines.map(outcome), ['already_subscribed', 'unknown_plan'])

  title('Buy with a coupon; a second use of it is refused')
  const coupon = await client.stripe.coupons.create({ percent_off: 25, duration: 'once' })
  const discounted = await checkout({
    product_codes: ['addon_monitoring'],
    payment_method_id: visa,
    coupon_code: coupon.id,
  })
  expectEqual('status', discounted.status, 201)
  expectEqual('lines', discounted.lines.map(outcome), ['active'])
  const reused = await checkout({
    product_codes: ['addon_remote_ssh'],
    payment_method_id: visa,
    coupon_code: coupon.id,
  })
  expectEqual('status', reused.status, 409)
  expectEqual('lines', reused.lines.map(outcome), ['coupon_already_redeemed'])

  title('Buy with a card that requires 3-D Secure')
  const secure = await client.addCard({ token, organizationId, testCard: 'pm_card_threeDSecure2Required' })
  const pending = await checkout({ product_codes: ['addon_crash_reporting'], payment_method_id: secure })
  expectEqual('status', pending.status, 201)
  expectEqual('lines', pending.lines.map(outcome), ['incomplete'])
  expectEqual('client action', pending.lines[0]?.client?.action, 'confirm_payment')
  await client.authenticate(pending.lines[0]?.client?.client_secret?.split('_secret_')[0] ?? '', 'succeed')
  await eventually(activeProducts, ['ota', 'monitoring', 'crash_reporting'])

  title('Cancel at the end of the period: the product stays active until then')
  const scheduled = await post('/api/billing/cancel', { product: 'monitoring' })
  expectEqual('answer', cancellation.parse(scheduled.body).status, 'cancellation_scheduled')

  title('Cancel immediately: other products are not affected')
  const canceled = await post('/api/billing/cancel', { product: 'ota', at_period_end: false })
  expectEqual('answer', cancellation.parse(canceled.body).status, 'canceled')
  await eventually(activeProducts, ['monitoring', 'crash_reporting'])

  title('The gateway ends a subscription: its event updates the entitlement')
  for await (const subscription of client.stripe.subscriptions.list({ limit: 100 })) {
    const { organization_id, product } = subscription.metadata
    if (organization_id === organizationId && product === 'crash_reporting') {
      await client.stripe.subscriptions.cancel(subscription.id)
    }
  }
  await eventually(activeProducts, ['monitoring'])
  console.log(styleText(['bold', 'green'], '\nEvery answer was as expected.'))
}

function title(text: string): void {
  console.log(`\n${styleText('bold', text)}`)
}

/** The outcome of a line: its error, or the status of its subscription. */
function outcome(line: z.output<typeof lines>[number]): string | undefined {
  return line.error ?? line.subscription?.status
}

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return
  throw new Error(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`)
}

/** Polls for up to five seconds: events arrive after the answer. */
async function eventually(actual: () => Promise<readonly string[]>, expected: readonly string[]): Promise<void> {
  const sorted = (values: readonly string[]) => [...values].sort()
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (isDeepStrictEqual(sorted(await actual()), sorted(expected))) return
    await delay(250)
  }
  expectEqual('active products', sorted(await actual()), sorted(expected))
}
