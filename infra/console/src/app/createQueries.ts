import { QueryClient } from '@tanstack/react-query'

/**
 * The cache of what the API answered. It repeats no request, because the client does if that is safe, and asks without a connection too, so
 * that a page says what is wrong instead of waiting.
 */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // A page that takes the place of another finds what that has just read.
      queries: { retry: false, networkMode: 'always', refetchOnReconnect: true, staleTime: 1000 },
    },
  })
}
