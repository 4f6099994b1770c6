import { useEffect } from 'react'
import type { Subscription } from '../app/types.ts'
import type { Resource } from '../ui/resource.ts'

const EVERY_MS = 2500

/** Reads the subscriptions again while any of them is being processed and the page is visible. */
export function usePolling(subscriptions: Resource<readonly Subscription[]>, waiting: boolean): void {
  useEffect(() => {
    if (!waiting) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void subscriptions.reload()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [subscriptions, waiting])
}
