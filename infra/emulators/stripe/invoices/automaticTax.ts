import type Stripe from 'stripe'
import { taxIdsOf } from '../resources/taxIds.ts'
import { requireTaxLocation, type TaxLocation, taxLocation } from '../resources/taxLocation.ts'
import type { Context } from '../state/context.ts'
import type { DraftLine } from '../state/state.ts'
import { sum } from '../state/sum.ts'
import type { Wire } from '../wire/wire.ts'
import { dueFor } from './subscriptionPricing.ts'

type Customer = Wire<Stripe.Customer>
type Tax = Wire<Stripe.InvoiceLineItem.Tax>

/** The places in which the emulator's account is registered, each with its rate in hundredths of a percent. The US has a rate per state. */
const rates: Record<string, number> = {
  AT: 2000,
  'CA QC': 1498,
  CA: 500,
  CH: 810,
  DE: 1900,
  ES: 2100,
  FR: 2000,
  GB: 2000,
  IE: 2300,
  IN: 1800,
  IT: 2200,
  NL: 2100,
  PL: 2300,
  'US CA': 825,
  'US NY': 888,
  'US TX': 825,
}

const european = ['AT', 'DE', 'ES', 'FR', 'IE', 'IT', 'NL', 'PL']

/** Whether the buyer owes the tax: a business abroad that has given its number. */
function reverses(context: Context, customer: Customer, { country }: TaxLocation): boolean {
  const wanted = european.includes(country) ? 'eu_vat' : country === 'GB' ? 'gb_vat' : undefined
  return taxIdsOf(context, customer.id).some(({ type, verification }) => {
    return type === wanted && verification?.status !== 'unverified'
  })
}

function ruleFor(
  context: Context,
  customer: Customer,
  location: TaxLocation,
): { reason: Tax['taxability_reason']; rate: number } {
  const rate = rates[`${location.country} ${location.state}`] ?? rates[location.country]
  if (customer.tax_exempt === 'exempt') return { reason: 'customer_exempt', rate: 0 }
  if (rate === undefined) return { reason: 'not_collecting', rate: 0 }
  if (customer.tax_exempt === 'reverse' || reverses(context, customer, location))
    return { reason: 'reverse_charge', rate: 0 }
  return { reason: 'standard_rated', rate }
}

/** The tax on top of an amount, or the tax in it; whole cents, half a cent away from zero, credits as the charge they undo. */
function taxOn(amount: number, rate: number, inclusive: boolean): number {
  const size = Math.abs(amount)
  const tax = Math.round((size * rate) / (inclusive ? 10_000 + rate : 10_000))
  return amount < 0 ? 0 - tax : tax
}

/** Whether the price of a line contains its tax; false if the price does not say. */
function isInclusive({ item }: DraftLine): boolean {
  return item.price.tax_behavior === 'inclusive'
}

/** The tax of an invoice, by line and in sum. */
interface InvoiceTax {
  automatic_tax: Wire<Stripe.Invoice>['automatic_tax']
  /** By line, in the order of the lines; empty if no tax is computed. */
  lines: Tax[][]
  total: Tax[]
  /** Cents that come on top of the lines. */
  exclusive: number
  /** Cents that the lines contain, before discounts. */
  in_subtotal: number
}

function untaxed(lines: DraftLine[], automatic_tax: InvoiceTax['automatic_tax']): InvoiceTax {
  return { automatic_tax, lines: lines.map(() => []), total: [], exclusive: 0, in_subtotal: 0 }
}

/**
 * Computes the tax of an invoice if its subscription, or the invoice itself, asks for tax (https://docs.stripe.com/tax). Every line is rounded by itself. If the
 * customer has no location, the invoice has no tax and says why.
 */
export function taxInvoice(
  context: Context,
  billed: { automatic_tax: { enabled: boolean } },
  customer: Customer | undefined,
  drafts: DraftLine[],
): InvoiceTax {
  const off = { disabled_reason: null, enabled: false, liability: null, provider: null, status: null }
  if (!billed.automatic_tax.enabled || customer === undefined) return untaxed(drafts, off)
  const location = taxLocation(customer)
  if (location === undefined) {
    const disabled_reason = 'finalization_requires_location_inputs'
    return untaxed(drafts, { ...off, disabled_reason, provider: 'stripe', status: 'requires_location_inputs' })
  }
  const { reason, rate } = ruleFor(context, customer, location)
  const lines = drafts.map((line): Tax[] => {
    const inclusive = isInclusive(line)
    const net = dueFor([line])
    const amount = taxOn(net, rate, inclusive)
    const tax_behavior = inclusive ? 'inclusive' : 'exclusive'
    return [
      {
        amount,
        tax_behavior,
        tax_rate_details: { tax_rate: `txr_${location.country}${location.state ?? ''}${rate}${tax_behavior}` },
        taxability_reason: reason,
        taxable_amount: reason === 'standard_rated' ? net - (inclusive ? amount : 0) : 0,
        type: 'tax_rate_details',
      },
    ]
  })
  const total = inSum(lines.flat())
  const on = { disabled_reason: null, enabled: true, liability: { type: 'self' }, provider: 'stripe' }
  return {
    automatic_tax: { ...on, status: 'complete' },
    lines,
    total,
    exclusive: sum(total.map((tax) => (tax.tax_behavior === 'exclusive' ? tax.amount : 0))),
    in_subtotal: sum(drafts.map((line) => (isInclusive(line) ? taxOn(line.amount, rate, true) : 0))),
  }
}

/** An entry per rate. */
export function inSum(taxes: Tax[]): Tax[] {
  const sums = new Map<string | undefined, Tax>()
  for (const tax of taxes) {
    const rate = tax.tax_rate_details?.tax_rate
    const before = sums.get(rate)
    const amount = (before?.amount ?? 0) + tax.amount
    sums.set(rate, { ...tax, amount, taxable_amount: (before?.taxable_amount ?? 0) + (tax.taxable_amount ?? 0) })
  }
  return [...sums.values()]
}

/** The `automatic_tax` member of a subscription. Throws a 400 if it is switched on and the customer has no location. */
export function automaticTax(
  context: Context,
  customer: string,
  sent: { enabled: boolean } | undefined,
): Wire<Stripe.Subscription>['automatic_tax'] {
  const owner = context.store.get('customers', customer)
  if (!sent?.enabled || owner === undefined) return { disabled_reason: null, enabled: false, liability: null }
  requireTaxLocation(owner)
  return { disabled_reason: null, enabled: true, liability: { type: 'self' } }
}
