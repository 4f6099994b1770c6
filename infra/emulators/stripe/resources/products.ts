import type Stripe from 'stripe'
import { z } from 'zod'
import { page, pageShape, within } from '../params/pagination.ts'
import { flag, mergeMetadata, metadata, type ParsedBy, paramsFor, range, text, unsettable } from '../params/params.ts'
import { type Context, newId } from '../state/context.ts'
import { invalidRequest, resourceMissing } from '../wire/errors.ts'
import { route } from '../wire/route.ts'
import type { Wire } from '../wire/wire.ts'
import { change, create } from './events.ts'

type Product = Wire<Stripe.Product>

const shape = {
  active: flag().optional(),
  description: unsettable(text()).optional(),
  images: z.array(text()).optional(),
  metadata: metadata().optional(),
  unit_label: unsettable(text(12)).optional(),
  url: unsettable(text()).optional(),
}

const uncovered = [
  'marketing_features',
  'package_dimensions',
  'shippable',
  'statement_descriptor',
  'tax_code',
  'tax_details',
] as const
const createParams = paramsFor<Stripe.ProductCreateParams>()(
  { ...shape, id: text().optional(), name: text(), type: z.literal('service').optional() },
  [...uncovered, 'default_price_data'],
)
const updateParams = paramsFor<Stripe.ProductUpdateParams>()({ ...shape, name: text().optional() }, [
  ...uncovered,
  'default_price',
])
const listParams = paramsFor<Stripe.ProductListParams>()(
  { ...pageShape, active: flag().optional(), created: range().optional(), ids: z.array(text()).optional() },
  ['shippable', 'type', 'url'],
)
const noParams = paramsFor<Stripe.ProductRetrieveParams>()({})

function requireProduct(context: Context, id: string, param: string): Product {
  const product = context.store.get('products', id)
  if (product === undefined) throw resourceMissing('product', id, param)
  return product
}

function createProduct(context: Context, sent: ParsedBy<typeof createParams>): Product {
  if (sent.id !== undefined && context.store.get('products', sent.id)) {
    throw invalidRequest(`Product already exists: '${sent.id}'`, 'resource_already_exists', 'id')
  }
  const product: Product = {
    id: sent.id ?? newId(context, 'products'),
    object: 'product',
    active: sent.active ?? true,
    created: context.now,
    default_price: null,
    description: sent.description ?? null,
    images: sent.images ?? [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata({}, sent.metadata),
    name: sent.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: sent.unit_label ?? null,
    updated: context.now,
    url: sent.url ?? null,
  }
  return create(context, 'products', product, 'product.created')
}

function updateProduct(context: Context, sent: ParsedBy<typeof updateParams>, id: string): Product {
  const product = requireProduct(context, id, 'id')
  const patch = {
    ...(sent.active !== undefined && { active: sent.active }),
    ...(sent.description !== undefined && { description: sent.description }),
    ...(sent.images !== undefined && { images: sent.images }),
    ...(sent.name !== undefined && { name: sent.name }),
    ...(sent.unit_label !== undefined && { unit_label: sent.unit_label }),
    ...(sent.url !== undefined && { url: sent.url }),
    metadata: mergeMetadata(product.metadata, sent.metadata),
    updated: context.now,
  }
  return change(context, 'products', product, patch, 'product.updated')
}

/** Endpoints of https://docs.stripe.com/api/products. */
export const productRoutes = [
  route('POST', '/v1/products', createParams, createProduct),
  route('GET', '/v1/products', listParams, ({ store }, sent) => {
    const rows = store.all('products').filter((row) => {
      return (
        (sent.active ?? row.active) === row.active &&
        (sent.ids?.includes(row.id) ?? true) &&
        within(row.created, sent.created)
      )
    })
    return page(rows, sent, '/v1/products')
  }),
  route('GET', '/v1/products/:id', noParams, (context, _sent, id) => requireProduct(context, id, 'id')),
  route('POST', '/v1/products/:id', updateParams, updateProduct),
]
