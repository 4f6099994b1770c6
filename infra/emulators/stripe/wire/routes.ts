import { creditNoteRoutes } from '../billing/creditNoteRoutes.ts'
import { invoiceRoutes } from '../billing/invoiceRoutes.ts'
import { subscriptionItemRoutes } from '../billing/subscriptionItemRoutes.ts'
import { subscriptionRoutes } from '../billing/subscriptions.ts'
import { chargeRoutes } from '../resources/charges.ts'
import { couponRoutes } from '../resources/coupons.ts'
import { customerRoutes } from '../resources/customers.ts'
import { eventRoutes } from '../resources/eventRoutes.ts'
import { paymentIntentRoutes } from '../resources/paymentIntentRoutes.ts'
import { paymentMethodRoutes } from '../resources/paymentMethods.ts'
import { priceRoutes } from '../resources/prices.ts'
import { productRoutes } from '../resources/products.ts'
import { promotionCodeRoutes } from '../resources/promotionCodes.ts'
import { refundRoutes } from '../resources/refunds.ts'
import { setupIntentRoutes } from '../resources/setupIntentRoutes.ts'
import { webhookEndpointRoutes } from '../resources/webhookEndpoints.ts'
import { notCovered } from './errors.ts'
import type { Route } from './route.ts'

/** Every endpoint covered, literal paths before those with an id. */
export const routes: readonly Route[] = [
  ...chargeRoutes,
  ...couponRoutes,
  ...creditNoteRoutes,
  ...customerRoutes,
  ...eventRoutes,
  ...invoiceRoutes,
  ...paymentIntentRoutes,
  ...paymentMethodRoutes,
  ...priceRoutes,
  ...productRoutes,
  ...promotionCodeRoutes,
  ...refundRoutes,
  ...setupIntentRoutes,
  ...subscriptionItemRoutes,
  ...subscriptionRoutes,
  ...webhookEndpointRoutes,
]

const patterns = routes.map((route) => ({ route, pattern: new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`) }))

/** The endpoint for a method and path, with the id of the path; 501 naming both when it is not covered. */
export function findRoute(method: string, path: string): { route: Route; id: string } {
  for (const { route, pattern } of patterns) {
    const match = route.method === method ? pattern.exec(path) : null
    if (match !== null) return { route, id: decodeURIComponent(match[1] ?? '') }
  }
  throw notCovered(`${method} ${path}`)
}

/** The endpoint of a method and path as it is declared (`/v1/customers/:id`); the path itself where none is covered. */
export function endpointOf(method: string, path: string): string {
  return patterns.find(({ route, pattern }) => route.method === method && pattern.test(path))?.route.path ?? path
}
