import type Stripe from 'stripe'
import * as z from 'zod'
import { listShape } from '../params/pagination.ts'
import * as p from '../params/params.ts'
import { nulls, words } from '../params/words.ts'
import { type Context, newId } from '../state/context.ts'
import { invalidRequest } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { change, create, emit } from './events.ts'
import { resourceRoutes } from './resourceRoutes.ts'

type Product = Wire<Stripe.Product>

const shape = {
  active: p.flag().optional(),
  description: p.unsettable(p.text()).optional(),
  images: z.array(p.text()).optional(),
  metadata: p.metadata().optional(),
  unit_label: p.unsettable(p.text(12)).optional(),
  url: p.unsettable(p.text()).optional(),
}

const uncovered = words('marketing_features package_dimensions shippable statement_descriptor tax_code tax_details')
const createParams = p.paramsFor<Stripe.ProductCreateParams>()(
  { ...shape, id: p.text().optional(), name: p.text(), type: z.literal('service').optional() },
  [...uncovered, 'default_price_data'],
)
const updateParams = p.paramsFor<Stripe.ProductUpdateParams>()({ ...shape, name: p.text().optional() }, [
  ...uncovered,
  'default_price',
])
const listParams = p.paramsFor<Stripe.ProductListParams>()(
  { ...listShape, active: p.flag().optional(), ids: z.array(p.text()).optional() },
  ['shippable', 'type', 'url'],
)

/** The wire form of a new product. Nothing is written. */
export function newProduct(context: Context, sent: p.ParsedBy<typeof createParams>): Product {
  return {
    id: sent.id ?? newId(context, 'products'),
    object: 'product',
    ...nulls('default_price package_dimensions shippable statement_descriptor tax_code tax_details'),
    active: sent.active ?? true,
    created: context.now,
    description: sent.description ?? null,
    images: sent.images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: p.mergeMetadata({}, sent.metadata),
    name: sent.name,
    type: 'service',
    unit_label: sent.unit_label ?? null,
    updated: context.now,
    url: sent.url ?? null,
  }
}

function createProduct(context: Context, sent: p.ParsedBy<typeof createParams>): Product {
  if (sent.id !== undefined && context.store.get('products', sent.id)) {
    throw invalidRequest(`Product already exists: '${sent.id}'`, 'resource_already_exists', 'id')
  }
  return create(context, 'products', newProduct(context, sent), 'product.created')
}

/** Deletes a product. Throws a 400 if it has prices (https://docs.stripe.com/api/products/delete). */
function deleteProduct(context: Context, product: Product): Wire<Stripe.DeletedProduct> {
  const { id } = product
  if (context.store.all('prices').some((price) => price.product === id)) {
    const message = 'This product cannot be deleted because it has one or more user-created prices.'
    throw invalidRequest(message)
  }
  context.store.remove('products', id)
  emit(context, 'product.deleted', product)
  return { id, object: 'product', deleted: true }
}

/** Endpoints of https://docs.stripe.com/api/products. */
export const productRoutes = resourceRoutes('products', {
  create: { params: createParams, run: createProduct },
  list: { params: listParams, same: ['active'], where: ({ id }, { ids }) => ids?.includes(id) ?? true },
  update: {
    params: updateParams,
    run(context, product, sent) {
      const patch = { ...p.sentChanges(product, sent), updated: context.now }
      return change(context, 'products', product, patch, 'product.updated')
    },
  },
  remove: deleteProduct,
})
