import type Stripe from 'stripe'
import { amountsOff } from '../resources/discounts.ts'
import type { Context } from '../state/context.ts'
import type { DraftLine } from '../state/state.ts'
import { sum } from '../state/sum.ts'
import type { Wire } from '../wire/wire.ts'

type Item = Wire<Stripe.SubscriptionItem>

/** A coupon applied to an invoice, with the id under which its amounts are listed. */
interface AppliedCoupon {
  discount: string
  coupon: Wire<Stripe.Coupon>
}

const formats = new Map<string, Intl.NumberFormat>()

/** `2000, usd` -> `$20.00`; other currencies are written with their code. */
function money(amount: number, currency: string): string {
  const format = formats.get(currency) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency })
  formats.set(currency, format)
  return format.format(amount / 100)
}

/**
 * The lines of a period after `pending` lines of invoice items, with the discounts taken in order. In a trial every line of the period is
 * free.
 */
export function periodLines(
  context: Context,
  items: Item[],
  coupons: AppliedCoupon[],
  period: { start: number; end: number },
  { trial = false, pending = [] }: { trial?: boolean; pending?: DraftLine[] } = {},
): DraftLine[] {
  const own = items.map((item): DraftLine => {
    const quantity = item.quantity ?? 1
    const unit = item.price.unit_amount ?? 0
    const name = context.store.get('products', item.price.product)?.name ?? item.price.product
    const rate = `${money(unit, item.price.currency)} / ${item.price.recurring?.interval ?? 'month'}`
    const description = trial ? `Trial period for ${name}` : `${quantity} × ${name} (at ${rate})`
    return { item, amount: trial ? 0 : unit * quantity, description, period, off: [] }
  })
  const lines = [...pending, ...own]
  for (const { discount, coupon } of coupons) {
    const left = lines.map((line) => ({
      amount: line.invoice_item?.discountable === false ? 0 : dueFor([line]),
      currency: line.item.price.currency,
      product: line.item.price.product,
    }))
    amountsOff(coupon, left).forEach((amount, index) => {
      const line = lines[index]
      if (line?.invoice_item?.discountable !== false) line?.off.push({ discount, amount })
    })
  }
  return lines
}

/** The total of the lines after discounts, in cents. */
export function dueFor(lines: DraftLine[]): number {
  return sum(lines.map(({ amount, off }) => amount - sum(off.map((row) => row.amount))))
}

/** Whether an invoice has used the discount on something that costs. */
function isSpent(invoice: Wire<Stripe.Invoice>, discount: string): boolean {
  const uses = invoice.lines.data.some((line) => line.amount > 0 && line.discounts.includes(discount))
  return uses && invoice.status !== 'void'
}

/** The coupons of these discounts that have not ended. */
function coupons(context: Context, ids: string[]): AppliedCoupon[] {
  return ids.flatMap((id) => {
    const discount = context.store.get('discounts', id)
    const name = discount?.source.coupon ?? ''
    // Deleting a coupon leaves the discounts it has given.
    const coupon = context.store.get('coupons', name) ?? context.store.get('deleted_coupons', name)
    if (discount === undefined || coupon === undefined) return []
    return discount.end !== null && discount.end <= context.now ? [] : [{ discount: id, coupon }]
  })
}

/** The discounts that apply to the next invoice: a repeating discount until it ends, a `once` coupon until an invoice has used it. */
export function currentDiscounts(context: Context, ids: string[]): AppliedCoupon[] {
  const invoices = context.store.all('invoices')
  return coupons(context, ids).filter(({ discount, coupon }) => {
    return coupon.duration !== 'once' || !invoices.some((invoice) => isSpent(invoice, discount))
  })
}

/** The discounts at which the present period was billed: a `once` coupon only if the latest invoice used it. */
export function periodDiscounts(context: Context, subscription: Wire<Stripe.Subscription>): AppliedCoupon[] {
  const latest =
    subscription.latest_invoice === null ? undefined : context.store.get('invoices', subscription.latest_invoice)
  return coupons(context, subscription.discounts).filter(({ discount, coupon }) => {
    return coupon.duration !== 'once' || (latest !== undefined && isSpent(latest, discount))
  })
}
