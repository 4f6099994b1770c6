import type Stripe from 'stripe'
import type { Context } from '../state/context.ts'
import { randomText } from '../state/ids.ts'
import type { DraftLine } from '../state/state.ts'
import type { Wire } from '../wire/wire.ts'

type Line = Wire<Stripe.InvoiceLineItem>

/** Where a line belongs: its invoice, and the subscription that this bills, if it bills any. */
interface LineOwner {
  invoice: string
  currency: string
  subscription: Pick<Wire<Stripe.Subscription>, 'id' | 'metadata'> | null
}

/** The members of a line of an invoice item that differ from those of a line of a subscription. */
function ofItem(item: Wire<Stripe.InvoiceItem>) {
  return {
    discountable: item.discountable,
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: {
        invoice_item: item.id,
        proration: false,
        proration_details: null,
        subscription: item.parent?.subscription_details?.subscription ?? null,
      },
      subscription_item_details: null,
      type: 'invoice_item_details' as const,
    },
    subscription: item.parent?.subscription_details?.subscription ?? null,
  } satisfies Partial<Line>
}

function ofSubscription({ item, proration }: DraftLine, { id, metadata }: NonNullable<LineOwner['subscription']>) {
  return {
    discountable: true,
    metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: proration ?? false,
        proration_details: null,
        subscription: id,
        subscription_item: item.id,
      },
      type: 'subscription_item_details' as const,
    },
    subscription: id,
  } satisfies Partial<Line>
}

/** The wire form of a line, under a fresh id. */
export function wireLine(context: Context, owner: LineOwner, line: DraftLine, taxes: Line['taxes']): Line {
  const { price } = line.item
  const quantity = line.item.quantity ?? 1
  const source = line.invoice_item
    ? ofItem(line.invoice_item)
    : owner.subscription && ofSubscription(line, owner.subscription)
  if (source === null) throw new Error(`a line of ${owner.invoice} belongs to nothing`)
  return {
    id: `il_${randomText(context.random, 24)}`,
    object: 'line_item',
    amount: line.amount,
    currency: owner.currency,
    description: line.description,
    discount_amounts: line.off.map(({ amount, discount }) => ({ amount, discount })),
    discounts: line.off.map(({ discount }) => discount),
    invoice: owner.invoice,
    livemode: false,
    ...source,
    period: line.period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: String(quantity),
    subtotal: line.amount,
    taxes,
  }
}
