import type { PricedProduct, Subscription } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { SubscriptionRow } from './SubscriptionRow.tsx'
import { usePolling } from './usePolling.ts'

interface SubscriptionListProps {
  readonly subscriptions: readonly Subscription[]
  readonly products: readonly PricedProduct[]
}

/** The organization's subscriptions, first those that need attention. */
export function SubscriptionList({ subscriptions, products }: SubscriptionListProps) {
  const { subscriptions: resource } = useOrganization()
  usePolling(
    resource,
    subscriptions.some(({ action }) => action === 'wait'),
  )
  const urgent = subscriptions.filter(({ action }) => action !== 'none')
  const calm = subscriptions.filter(({ action }) => action === 'none')
  return (
    <ul className="rows">
      {[...urgent, ...calm].map((subscription) => (
        <SubscriptionRow key={subscription.product} subscription={subscription} products={products} />
      ))}
    </ul>
  )
}
