import { chargeRoutes } from './charges.ts'
import { couponRoutes } from './coupons.ts'
import { creditNoteRoutes } from './creditNoteRoutes.ts'
import { customerRoutes } from './customers.ts'
import { notCovered } from './errors.ts'
import { eventRoutes } from './eventRoutes.ts'
import { invoiceRoutes } from './invoiceRoutes.ts'
import { paymentIntentRoutes } from './paymentIntentRoutes.ts'
import { paymentMethodRoutes } from './paymentMethods.ts'
import { priceRoutes } from './prices.ts'
import { productRoutes } from './products.ts'
import { promotionCodeRoutes } from './promotionCodes.ts'
import { refundRoutes } from './refunds.ts'
import type { Route } from './route.ts'
import { setupIntentRoutes } from './setupIntentRoutes.ts'
import { subscriptionItemRoutes } from './subscriptionItemRoutes.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { webhookEndpointRoutes } from './webhookEndpoints.ts'

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
