import { useServices } from '../app/services.ts'
import type { CancellationReason, Product } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { namedProduct } from './products/productLook.ts'

/** Cancels a subscription, and resumes it while it still runs. Both show the current state afterwards, even if they failed. */
export function useSubscriptionChanges() {
  const { client } = useServices()
  const { organization, subscriptions } = useOrganization()
  const query = { organization_id: organization.id }

  return {
    async cancel(product: Product, reason?: CancellationReason) {
      try {
        return await client.cancelSubscription({
          query,
          body: { product: namedProduct(product), ...(reason && { reason }) },
        })
      } finally {
        await subscriptions.reload()
      }
    },
    async resume(product: Product) {
      try {
        await client.resumeSubscription({ path: { product: namedProduct(product) }, query })
      } finally {
        await subscriptions.reload()
      }
    },
  }
}
