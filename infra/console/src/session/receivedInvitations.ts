import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useServices } from '../app/services.ts'
import type { ReceivedInvitation } from '../app/types.ts'
import { createResource, type Resource } from '../loading/resource.ts'

/** The newest 100 invitations to the signed-in user; those behind them appear when these are answered. */
export function useReceivedInvitations(): Resource<readonly ReceivedInvitation[]> {
  const { client } = useServices()
  const queries = useQueryClient()
  return useMemo(
    () =>
      createResource<readonly ReceivedInvitation[]>(queries, {
        key: ['received-invitations'],
        freshFor: 60_000,
        load: async (signal) => (await client.listReceivedInvitations({ query: { limit: 100 }, signal })).invitations,
      }),
    [queries, client],
  )
}
