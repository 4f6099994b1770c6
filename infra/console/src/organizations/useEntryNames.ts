import { useResource } from '../loading/resource.ts'
import type { EntryNames } from './describeEntry.ts'
import { useOrganization } from './organizationData.ts'

/** Names by id. Former members and products that are no longer sold have none. */
export function useEntryNames(): EntryNames {
  const { members, products, apiClients } = useOrganization()
  const { value: known } = useResource(members)
  const { value: offered } = useResource(products)
  const { value: programs } = useResource(apiClients)
  return {
    user: (id) => known?.members.find(({ user_id }) => user_id === id)?.username ?? undefined,
    apiClient: (id) => programs?.find((one) => one.id === id || one.client_id === id)?.name,
    product: (code) => offered?.find(({ product }) => product === code)?.name ?? code,
  }
}
