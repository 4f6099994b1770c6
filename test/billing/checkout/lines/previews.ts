import { expect } from '@jest/globals'
import * as z from 'zod'
import type { DemoUser } from '../../../../infra/data/demo.ts'
import type { BillingStack, CheckoutOptions } from '../../../support/billingStack.ts'

/** Asks for previews, and for what they are compared with. */
export function previewsOn(bed: { readonly stack: BillingStack }) {
  const cart = ['base_ota', 'addon_monitoring', 'addon_crash_reporting', 'addon_remote_ssh']

  const preview = '/api/billing/checkout/preview'

  const previewSchema = z.strictObject({
    lines: z.array(
      z.looseObject({
        ok: z.boolean(),
        product_code: z.string(),
        amount: z.int().optional(),
        discount: z.int().optional(),
        tax: z.int().optional(),
        total: z.int().optional(),
        error: z.string().optional(),
        detail: z.string().optional(),
      }),
    ),
    subtotal: z.int(),
    total: z.int(),
    currency: z.string(),
  })

  async function send(organizationId: string, codes: readonly string[], coupon?: string, as: DemoUser = 'owner') {
    const { stack } = bed
    const body = { product_codes: codes, ...(coupon && { coupon_code: coupon }) }
    const path = `${preview}?organization_id=${organizationId}`
    const token = await stack.token(as)
    await stack.emulator.clearRequests()
    stack.dynamoDb.reset()
    return stack.client.send({ method: 'POST', path, token, body })
  }

  /** Previews a cart, and fails where that wrote, reserved or created anything. */
  async function previewed(organizationId: string, codes: readonly string[], coupon?: string) {
    const { stack } = bed
    const { status, body } = await send(organizationId, codes, coupon)
    expect(status).toBe(200)
    expect(stack.writes()).toEqual([])
    const calls = (await stack.emulator.requests()).map(({ method, path }) => `${method} ${path}`)
    expect(calls.filter((call) => !/^(GET|POST \/v1\/invoices\/create_preview$)/.test(call))).toEqual([])
    return previewSchema.parse(body)
  }

  /** What each line of a cart came to: what its invoice was paid, or why it was refused. */
  async function boughtAs(organizationId: string, codes: readonly string[], options: CheckoutOptions) {
    const { stack } = bed
    const { lines } = await stack.checkout(organizationId, codes, options)
    const subscriptions = await stack.subscriptions(organizationId)
    return Promise.all(
      lines.map(async ({ ok, product_code, error, detail }) => {
        if (!ok) return { ok, product_code, error, detail }
        const found = subscriptions.find(({ metadata, status }) => {
          return metadata.plan_code === product_code && status !== 'canceled'
        })
        const { subtotal, total, amount_due } = await stack.stripe.invoices.retrieve(String(found?.latest_invoice))
        return { ok, product_code, amount: subtotal, discount: subtotal - total, total: amount_due }
      }),
    )
  }

  /** Fails unless checkout does with the cart, to the cent, what its preview says. */
  async function expectSame(organizationId: string, codes: readonly string[], options: CheckoutOptions = {}) {
    const said = await previewed(organizationId, codes, options.coupon)
    const done = await boughtAs(organizationId, codes, options)
    expect(said.lines).toMatchObject(done)
    expect(said.total).toBe(done.reduce((sum, line) => sum + (line.total ?? 0), 0))
    expect(said.currency).toBe('usd')
    return said.lines.map(({ ok, error, total }) => (ok ? total : error))
  }

  const redeemed = 'coupon_already_redeemed'

  return { cart, preview, previewSchema, send, previewed, boughtAs, expectSame, redeemed }
}
