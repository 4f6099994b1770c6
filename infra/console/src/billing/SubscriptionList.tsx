import { useEffect } from 'react'
import type { PricedProduct, Subscription } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import type { Resource } from '../ui/resource.ts'
import { SubscriptionRow } from './SubscriptionRow.tsx'

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

const EVERY_MS = 2500

/** Reads the subscriptions again while any of them is being processed and the page is visible. */
function usePolling(subscriptions: Resource<readonly Subscription[]>, waiting: boolean): void {
  useEffect(() => {
    if (!waiting) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void subscriptions.reload()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [subscriptions, waiting])
}
