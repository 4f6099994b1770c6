import type Stripe from 'stripe'
import * as z from 'zod'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { words } from '../params/words.ts'
import { type Context, newId } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { change, create } from './events.ts'
import { requireRow } from './requireRow.ts'
import { resourceRoutes } from './resourceRoutes.ts'

type Price = Wire<Stripe.Price>

const createParams = p.paramsFor<Stripe.PriceCreateParams>()(
  {
    active: p.flag().optional(),
    billing_scheme: p.coveredWord('per_unit', ['tiered']).optional(),
    currency: p.text(3),
    lookup_key: p.text(200).optional(),
    metadata: p.metadata().optional(),
    nickname: p.text().optional(),
    product: p.text(),
    recurring: p
      .nested(
        {
          interval: p.word(['day', 'week', 'month', 'year']),
          interval_count: p.integer(1, 156).optional(),
          usage_type: p.coveredWord('licensed', ['metered']).optional(),
        },
        ['meter', 'trial_period_days'],
      )
      .optional(),
    tax_behavior: p.word(['exclusive', 'inclusive', 'unspecified']).optional(),
    transfer_lookup_key: p.flag().optional(),
    unit_amount: p.integer(0, 99999999),
  },
  words('currency_options custom_unit_amount product_data tiers tiers_mode transform_quantity unit_amount_decimal'),
)
const updateParams = p.paramsFor<Stripe.PriceUpdateParams>()(
  {
    active: p.flag().optional(),
    lookup_key: p.unsettable(p.text(200)).optional(),
    metadata: p.metadata().optional(),
    nickname: p.unsettable(p.text()).optional(),
    transfer_lookup_key: p.flag().optional(),
  },
  ['currency_options', 'tax_behavior'],
)
const listParams = p.paramsFor<Stripe.PriceListParams>()({
  ...listShape,
  active: p.flag().optional(),
  currency: p.text(3).optional(),
  lookup_keys: z.array(p.text(200)).max(10).optional(),
  product: p.text().optional(),
  recurring: p.nested({ interval: p.word(['day', 'week', 'month', 'year']).optional() }).optional(),
  type: p.word(['one_time', 'recurring']).optional(),
})

/** Frees a lookup key: with `transfer_lookup_key` removes it from the price that has it, otherwise a price that has it is 400. */
function claimLookupKey(
  context: Context,
  key: string | null | undefined,
  transfer: boolean | undefined,
  claimant?: string,
): void {
  if (key == null) return
  const holder = context.store.all('prices').find((price) => price.lookup_key === key && price.id !== claimant)
  if (holder === undefined) return
  if (!transfer) {
    const message = `A price (\`${holder.id}\`) already uses that lookup key. Lookup keys must be unique`
    throw invalidRequest(message, 'resource_already_exists', 'lookup_key')
  }
  change(context, 'prices', holder, { lookup_key: null }, 'price.updated')
}

/** The wire form of a new price. Nothing is written. */
export function newPrice(context: Context, sent: p.ParsedBy<typeof createParams>): Price {
  return {
    id: newId(context, 'prices'),
    object: 'price',
    active: sent.active ?? true,
    billing_scheme: 'per_unit',
    created: context.now,
    currency: sent.currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: sent.lookup_key ?? null,
    metadata: p.mergeMetadata({}, sent.metadata),
    nickname: sent.nickname ?? null,
    product: sent.product,
    recurring: sent.recurring
      ? {
          interval: sent.recurring.interval,
          interval_count: sent.recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: sent.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: sent.recurring ? 'recurring' : 'one_time',
    unit_amount: sent.unit_amount,
    unit_amount_decimal: String(sent.unit_amount),
  }
}

function createPrice(context: Context, sent: p.ParsedBy<typeof createParams>): Price {
  requireRow(context, 'products', sent.product, 'product')
  claimLookupKey(context, sent.lookup_key, sent.transfer_lookup_key)
  return create(context, 'prices', newPrice(context, sent), 'price.created')
}

function updatePrice(
  context: Context,
  price: Price,
  { transfer_lookup_key, ...sent }: p.ParsedBy<typeof updateParams>,
): Price {
  claimLookupKey(context, sent.lookup_key, transfer_lookup_key, price.id)
  return change(context, 'prices', price, p.sentChanges(price, sent), 'price.updated')
}

/** Endpoints of https://docs.stripe.com/api/prices. */
export const priceRoutes = resourceRoutes('prices', {
  create: { params: createParams, run: createPrice },
  list: {
    params: listParams,
    same: ['active', 'currency', 'product', 'type'],
    where: ({ lookup_key, recurring }, sent) =>
      (sent.recurring?.interval === undefined || sent.recurring.interval === recurring?.interval) &&
      (sent.lookup_keys === undefined || (lookup_key !== null && sent.lookup_keys.includes(lookup_key))),
  },
  update: { params: updateParams, run: updatePrice },
})
