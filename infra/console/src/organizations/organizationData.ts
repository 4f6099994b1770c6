import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { type ConsoleClient, paginate } from '../../../client/src/index.ts'
import type {
  ApiClient,
  AuditEntry,
  BillingDetails,
  Card,
  Domain,
  Invoice,
  Members,
  Organization,
  PricedProduct,
  Subscription,
  WebhookEndpoint,
} from '../app/types.ts'
import { type OpenInvoice, openInvoicesOf } from '../billing/invoices/openInvoices.ts'
import { collect } from '../lists/collect.ts'
import { createResource, type Resource, type ResourceOptions } from '../loading/resource.ts'
import { startOfSpend } from '../overview/spendByMonth.ts'

/** The data of an organization, shared between its pages. */
interface OrganizationResources {
  readonly products: Resource<readonly PricedProduct[]>
  readonly subscriptions: Resource<readonly Subscription[]>
  readonly cards: Resource<readonly Card[]>
  /** The newest 100, the most that are read at once. */
  readonly openInvoices: Resource<readonly OpenInvoice[]>
  /** Those made since the first of the twelve months of the overview, newest first. */
  readonly yearOfInvoices: Resource<readonly Invoice[]>
  /** With the version that a change is based on. */
  readonly details: Resource<{ readonly details: BillingDetails; readonly etag: string | undefined }>
  readonly members: Resource<Members>
  readonly apiClients: Resource<readonly ApiClient[]>
  readonly domains: Resource<readonly Domain[]>
  readonly webhookEndpoints: Resource<readonly WebhookEndpoint[]>
  /** The newest changes, as many as the overview shows. */
  readonly recentActivity: Resource<readonly AuditEntry[]>
}

/** How often subscriptions are read while any of them is being processed. */
const PROCESSING_MS = 2500

/** The key of an organization's data: with it, all of it can be dropped. */
const keyOf = (organizationId: string, ...names: readonly string[]) => ['organization', organizationId, ...names]

/** The products that are sold, at their list prices: the same for every organization. */
export function productsResource(queries: QueryClient, client: ConsoleClient): Resource<readonly PricedProduct[]> {
  return createResource<readonly PricedProduct[]>(queries, {
    key: ['products'],
    // An order asks for its prices itself.
    freshFor: 60_000,
    load: async (signal) => (await client.listProducts({ signal })).products,
  })
}

/** The organization itself: its name, and the user's role. */
export function organizationResource(
  queries: QueryClient,
  client: ConsoleClient,
  organizationId: string,
): Resource<Organization> {
  return createResource(queries, {
    key: keyOf(organizationId),
    load: (signal) => client.getOrganization({ path: { organization_id: organizationId }, signal }),
  })
}

/** The resources of an organization; nothing is read before a page shows it. */
export function organizationResources(
  queries: QueryClient,
  client: ConsoleClient,
  organizationId: string,
): OrganizationResources {
  const query = { organization_id: organizationId }
  const own = <Value>(
    name: string,
    load: ResourceOptions<Value>['load'],
    pollEvery: ResourceOptions<Value>['pollEvery'] = () => false,
  ) => createResource(queries, { key: keyOf(organizationId, name), load, pollEvery })
  return {
    products: productsResource(queries, client),
    subscriptions: own<readonly Subscription[]>(
      'subscriptions',
      async (signal) => (await client.listSubscriptions({ query, signal })).subscriptions,
      (known) => (known?.some(({ action }) => action === 'wait') ? PROCESSING_MS : false),
    ),
    cards: own<readonly Card[]>(
      'cards',
      async (signal) => (await client.listPaymentMethods({ query, signal })).payment_methods,
    ),
    openInvoices: own<readonly OpenInvoice[]>('open-invoices', async (signal) =>
      openInvoicesOf((await client.listInvoices({ query: { ...query, status: 'open', limit: 100 }, signal })).invoices),
    ),
    yearOfInvoices: own<readonly Invoice[]>('year-of-invoices', (signal) => {
      const from = startOfSpend(new Date()).toISOString()
      return collect(paginate(client.listInvoices, { query: { ...query, from, limit: 100 }, signal }))
    }),
    details: own('details', async (signal) => {
      const { body, etag } = await client.send('getBillingDetails', { query, signal })
      return { details: body, etag }
    }),
    members: own('members', (signal) => client.listMembers({ path: query, signal })),
    apiClients: own<readonly ApiClient[]>(
      'api-clients',
      async (signal) => (await client.listApiClients({ path: query, signal })).api_clients,
    ),
    domains: own<readonly Domain[]>(
      'domains',
      async (signal) => (await client.listDomains({ path: query, signal })).domains,
    ),
    webhookEndpoints: own<readonly WebhookEndpoint[]>(
      'webhook-endpoints',
      async (signal) => (await client.listWebhookEndpoints({ path: query, signal })).webhook_endpoints,
    ),
    recentActivity: own<readonly AuditEntry[]>(
      'recent-activity',
      async (signal) => (await client.listAuditLogEntries({ path: query, query: { limit: 5 }, signal })).entries,
    ),
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
