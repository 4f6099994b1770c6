import { creditNoteRoutes } from '../invoices/creditNoteRoutes.ts'
import { invoiceItemRoutes } from '../invoices/invoiceItemRoutes.ts'
import { invoicePreviewRoutes } from '../invoices/invoicePreview.ts'
import { invoiceRoutes } from '../invoices/invoiceRoutes.ts'
import type { ParamNames } from '../params/paramNames.ts'
import { cardSourceRoutes } from '../payments/cardSources.ts'
import { chargeRoutes } from '../payments/charges.ts'
import { confirmationTokenRoutes } from '../payments/confirmationTokens.ts'
import { disputeRoutes } from '../payments/disputeRoutes.ts'
import { paymentIntentRoutes } from '../payments/paymentIntentRoutes.ts'
import { paymentMethodCreateRoute } from '../payments/paymentMethodCreate.ts'
import { paymentMethodRoutes } from '../payments/paymentMethods.ts'
import { refundRoutes } from '../payments/refunds.ts'
import { setupIntentRoutes } from '../payments/setupIntentRoutes.ts'
import { accountRoutes } from '../resources/account.ts'
import { couponRoutes } from '../resources/coupons.ts'
import { customerRoutes } from '../resources/customers.ts'
import { emptyListRoutes } from '../resources/emptyLists.ts'
import { eventRoutes } from '../resources/eventRoutes.ts'
import { planRoutes } from '../resources/plans.ts'
import { priceRoutes } from '../resources/prices.ts'
import { productRoutes } from '../resources/products.ts'
import { promotionCodeRoutes } from '../resources/promotionCodes.ts'
import { searchRoutes } from '../resources/search.ts'
import { taxIdRoutes } from '../resources/taxIds.ts'
import { webhookEndpointRoutes } from '../resources/webhookEndpoints.ts'
import { subscriptionItemRoutes } from '../subscriptions/subscriptionItemRoutes.ts'
import { subscriptionScheduleRoutes } from '../subscriptions/subscriptionScheduleRoutes.ts'
import { subscriptionRoutes } from '../subscriptions/subscriptions.ts'
import { unrecognizedUrl } from './errors.ts'
import { notCovered } from './notCovered.ts'
import operations from './operations.json' with { type: 'json' }
import type { Route } from './route.ts'

/** Every endpoint covered. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...cardSourceRoutes,
  ...chargeRoutes,
  ...confirmationTokenRoutes,
  ...couponRoutes,
  ...creditNoteRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...emptyListRoutes,
  ...eventRoutes,
  ...invoiceItemRoutes,
  ...invoicePreviewRoutes,
  ...invoiceRoutes,
  ...paymentIntentRoutes,
  ...paymentMethodRoutes,
  paymentMethodCreateRoute,
  ...planRoutes,
  ...priceRoutes,
  ...productRoutes,
  ...promotionCodeRoutes,
  ...refundRoutes,
  ...searchRoutes,
  ...setupIntentRoutes,
  ...subscriptionItemRoutes,
  ...subscriptionRoutes,
  ...subscriptionScheduleRoutes,
  ...taxIdRoutes,
  ...webhookEndpointRoutes,
]

const covered = new Map(routes.map((route) => [`${route.method} ${route.path.replaceAll(/:\w+/g, '*')}`, route]))

/** An operation of Stripe's API: `*` in `template` is an id. */
interface Operation {
  template: string
  parts: string[]
}

/** Operations by method and number of path segments. Literal segments come before ids, so the most literal match comes first. */
const operationsBySize = new Map<string, Operation[]>()
const ownOperations = Object.fromEntries(
  routes
    .filter((row) => row.onlyStripeJs || row.unlisted)
    .map(({ method, path }) => [path.replaceAll(/:\w+/g, '*'), method]),
)
for (const [template, methods] of Object.entries({ ...operations, ...ownOperations })) {
  const parts = template.split('/')
  for (const method of methods.split(' ')) {
    const size = `${method} ${parts.length}`
    operationsBySize.set(size, [...(operationsBySize.get(size) ?? []), { template, parts }])
  }
}
for (const list of operationsBySize.values())
  list.sort((a, b) => (a.template.replaceAll('*', '\uffff') < b.template.replaceAll('*', '\uffff') ? -1 : 1))

function operationOf(method: string, path: string): Operation | undefined {
  const parts = path.split('/')
  return operationsBySize
    .get(`${method} ${parts.length}`)
    ?.find((operation) =>
      operation.parts.every((part, index) => part === parts[index] || (part === '*' && parts[index])),
    )
}

/** The endpoint for a method and path, with the ids of the path. Throws a 404 if Stripe has no such endpoint, a 501 if only the emulator has none. */
export function findRoute(method: string, path: string): { route: Route; ids: string[] } {
  const operation = operationOf(method, path)
  if (operation === undefined) throw unrecognizedUrl(method, path)
  const route = covered.get(`${method} ${operation.template}`)
  if (route === undefined) throw notCovered('operation', `${method} ${operation.template}`)
  const ids = path.split('/').filter((_part, index) => operation.parts[index] === '*')
  return { route, ids: ids.map(decodeURIComponent) }
}

/** Whether a request changes nothing: a read, or a preview. */
export function writesNothing(method: string, path: string): boolean {
  return method === 'GET' || (covered.get(`${method} ${operationOf(method, path)?.template}`)?.previews ?? false)
}

/** The endpoint of a method and path as it is declared (`/v1/customers/:id`); the path itself if none is covered. */
export function endpointOf(method: string, path: string): string {
  return covered.get(`${method} ${operationOf(method, path)?.template}`)?.path ?? path
}

/**
 * An operation of Stripe's API, such as `GET /v1/customers/*`, and the parameters that the emulator takes. If `params` is undefined, it
 * answers 501.
 */
export interface CoveredOperation {
  readonly method: string
  readonly path: string
  readonly params: ParamNames | undefined
}

/** Every operation of Stripe's API that `operations.json` names, by path and method. */
export function coverage(): CoveredOperation[] {
  return Object.entries(operations).flatMap(([path, methods]) =>
    methods.split(' ').map((method) => ({ method, path, params: covered.get(`${method} ${path}`)?.params() })),
  )
}
