import { useEffect, useState } from 'react'
import { useServices } from '../app/services.ts'
import type { Preview } from '../app/types.ts'

const DEBOUNCE_MS = 250

/** The current price of a cart. The last price stays while the next is loading. */
interface CartPreview {
  readonly preview?: Preview
  readonly loading: boolean
  readonly error?: unknown
  retry(): void
}

/**
 * Requests the price of a cart, to the cent, a moment after its last change. If the cart is empty, nothing is requested.
 * @param codes the plan codes, joined by commas, so that equal lists are identical
 */
export function useCartPreview(organizationId: string, codes: string, coupon: string | undefined): CartPreview {
  const { client } = useServices()
  const [state, setState] = useState<Omit<CartPreview, 'retry'>>({ loading: false })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks the same again
  useEffect(() => {
    if (codes === '') {
      setState({ loading: false })
      return
    }
    const stop = new AbortController()
    setState(({ preview }) => ({ loading: true, ...(preview && { preview }) }))
    const timer = setTimeout(async () => {
      try {
        const preview = await client.previewCheckout({
          query: { organization_id: organizationId },
          body: { product_codes: codes.split(','), coupon_code: coupon ?? null },
          signal: stop.signal,
        })
        if (!stop.signal.aborted) setState({ preview, loading: false })
      } catch (error) {
        if (!stop.signal.aborted) setState({ error, loading: false })
      }
    }, DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [client, organizationId, codes, coupon, attempt])

  return { ...state, retry: () => setAttempt((count) => count + 1) }
}
