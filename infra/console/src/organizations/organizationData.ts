import { createContext, useContext } from 'react'
import type { ConsoleClient } from '../../../client/src/index.ts'
import type {
  ApiClient,
  BillingDetails,
  Card,
  Members,
  Organization,
  PricedProduct,
  Subscription,
} from '../app/types.ts'
import { type OpenInvoice, openInvoicesOf } from '../billing/openInvoices.ts'
import { createResource, type Resource } from '../ui/resource.ts'

/** The data of an organization, shared between its pages. */
interface OrganizationResources {
  readonly products: Resource<readonly PricedProduct[]>
  readonly subscriptions: Resource<readonly Subscription[]>
  readonly cards: Resource<readonly Card[]>
  /** Of the newest 100 invoices, the most that are read at once. */
  readonly openInvoices: Resource<readonly OpenInvoice[]>
  /** With the version that a change is based on. */
  readonly details: Resource<{ readonly details: BillingDetails; readonly etag: string | undefined }>
  readonly members: Resource<Members>
  readonly apiClients: Resource<readonly ApiClient[]>
}

/** The resources of an organization; nothing is read before a page shows it. */
export function organizationResources(client: ConsoleClient, organizationId: string): OrganizationResources {
  const query = { organization_id: organizationId }
  return {
    products: createResource(async () => (await client.listProducts()).products),
    subscriptions: createResource(async () => (await client.listSubscriptions({ query })).subscriptions),
    cards: createResource(async () => (await client.listPaymentMethods({ query })).payment_methods),
    openInvoices: createResource(async () =>
      openInvoicesOf((await client.listInvoices({ query: { ...query, limit: 100 } })).invoices),
    ),
    details: createResource(async () => {
      const { body, etag } = await client.send('getBillingDetails', { query })
      return { details: body, etag }
    }),
    members: createResource(() => client.listMembers({ path: query })),
    apiClients: createResource(async () => (await client.listApiClients({ path: query })).api_clients),
  }
}

/** The current organization, with its loaded data. */
interface OrganizationData extends OrganizationResources {
  readonly organization: Organization
  /** Reads the organization itself again: its name, and the user's role. */
  reloadOrganization(): Promise<void>
}

export const OrganizationContext = createContext<OrganizationData | undefined>(undefined)

/** The organization of the page. */
export function useOrganization(): OrganizationData {
  const data = useContext(OrganizationContext)
  if (data === undefined) throw new Error('the page belongs to no organization')
  return data
}
