import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useServices } from '../app/services.ts'
import type { Preview } from '../app/types.ts'

const DEBOUNCE_MS = 250

/** The current price of a cart. The last price stays while the next is loading. */
interface CartPreview {
  readonly preview?: Preview | undefined
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
  const asked = useDebounced(JSON.stringify({ codes, coupon }))
  const isAsked = asked === JSON.stringify({ codes, coupon })
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['organization', organizationId, 'preview', codes, coupon],
    queryFn: ({ signal }) =>
      client.previewCheckout({
        query: { organization_id: organizationId },
        body: { product_codes: codes.split(','), coupon_code: coupon ?? null },
        signal,
      }),
    enabled: codes !== '' && isAsked,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const isEmpty = codes === ''
  return {
    preview: isEmpty ? undefined : data,
    loading: !isEmpty && (isFetching || !isAsked),
    error: isEmpty ? undefined : (error ?? undefined),
    retry: () => void refetch(),
  }
}

/** The value as it was a moment ago, if it keeps changing. */
function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
