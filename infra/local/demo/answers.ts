import * as z from 'zod'

const product = z.string()

const subscription = z.object({
  product,
  status: z.string(),
  cancel_at: z.string().nullable(),
  action: z.enum(['none', 'wait', 'confirm_payment', 'update_payment_method']),
})
const client = z.object({ action: z.enum(['none', 'confirm_payment']), client_secret: z.string().nullable() })
const invoice = z.object({
  status: z.string(),
  product: product.nullable(),
  amount_paid: z.int(),
  hosted_invoice_url: z.string(),
  invoice_pdf: z.string(),
})

/** The fields that the demo reads of each answer, like a billing page. */
export const answers = {
  any: z.unknown(),
  organization: z.object({ id: z.string() }),
  products: z.object({ products: z.array(z.object({ plan_code: z.string(), price: z.object({ amount: z.int() }) })) }),
  preview: z.object({ total: z.int() }),
  cart: z.array(
    z.object({
      ok: z.boolean(),
      error: z.string().optional(),
      subscription: subscription.pick({ status: true }).optional(),
      client: client.optional(),
    }),
  ),
  subscription,
  subscriptions: z.object({ subscriptions: z.array(subscription) }),
  payment: z.object({ subscription, client }),
  cards: z.object({ payment_methods: z.array(z.object({ id: z.string(), is_default: z.boolean() })) }),
  invoices: z.object({ invoices: z.array(invoice), next_cursor: z.string().nullable() }),
  cancellation: z.object({ status: z.string() }),
  entitlements: z.object({ entitlements: z.array(z.object({ product, active: z.boolean() })) }),
  details: z.object({ address: z.object({ city: z.string().nullable() }).nullable() }),
  refusal: z.object({ code: z.string() }),
  auditLog: z.object({ entries: z.array(z.object({ action: z.string(), actor: z.object({ type: z.string() }) })) }),
} as const
