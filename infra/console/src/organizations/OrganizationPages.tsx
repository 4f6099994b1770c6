import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useMemo } from 'react'
import { isApiError } from '../../../client/src/index.ts'
import { Link } from '../app/navigation.tsx'
import { problemOf } from '../app/problem.ts'
import type { OrganizationPage } from '../app/route.ts'
import { Shell } from '../app/Shell.tsx'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { LazyPart } from '../loading/LazyPart.tsx'
import { useResource } from '../loading/resource.ts'
import { Skeleton } from '../loading/Skeleton.tsx'
import {
  activityListTexts,
  apiClientTexts,
  domainTexts,
  invoiceListTexts,
  memberTexts,
  type PartTexts,
  signOnTexts,
  webhookTexts,
} from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { OrganizationContext, organizationResource, organizationResources } from './organizationData.ts'
import { maySee } from './permissions.ts'

interface OrganizationPagesProps {
  readonly user: User
  readonly route: { readonly page: OrganizationPage; readonly organizationId: string }
}

const pages: Readonly<Record<OrganizationPage, () => Promise<ComponentType<{ user: User }>>>> = {
  overview: async () => (await import('../overview/OverviewPage.tsx')).OverviewPage,
  products: async () => (await import('../billing/ProductsPage.tsx')).ProductsPage,
  cards: async () => (await import('../billing/paymentPages.ts')).CardsPage,
  invoices: async () => (await import('../billing/paymentPages.ts')).InvoicesPage,
  details: async () => (await import('../billing/paymentPages.ts')).DetailsPage,
  members: async () => (await import('./managementPages.ts')).MembersPage,
  'sign-in-rules': async () => (await import('./managementPages.ts')).SignInRulesPage,
  domains: async () => (await import('./managementPages.ts')).DomainsPage,
  sso: async () => (await import('./managementPages.ts')).SignOnPage,
  'api-clients': async () => (await import('./managementPages.ts')).ApiClientsPage,
  webhooks: async () => (await import('../webhooks/WebhooksPage.tsx')).WebhooksPage,
  activity: async () => (await import('./managementPages.ts')).ActivityPage,
  settings: async () => (await import('./managementPages.ts')).SettingsPage,
}

/** Of the pages that have texts of their own. */
const textsOf: Partial<Record<OrganizationPage, PartTexts<unknown>>> = {
  invoices: invoiceListTexts,
  activity: activityListTexts,
  'api-clients': apiClientTexts,
  members: memberTexts,
  'sign-in-rules': memberTexts,
  domains: domainTexts,
  sso: signOnTexts,
  webhooks: webhookTexts,
}

/** The pages of an organization, shown when it and the user's role there are known. */
export function OrganizationPages({ user, route }: OrganizationPagesProps) {
  const { client } = useServices()
  const { page, organizationId } = route
  const title = useTexts().app.pages[page]
  const queries = useQueryClient()
  const own = useMemo(() => organizationResource(queries, client, organizationId), [queries, client, organizationId])
  const resources = useMemo(
    () => organizationResources(queries, client, organizationId),
    [queries, client, organizationId],
  )
  const { value: organization, error, loading } = useResource(own)
  const context = useMemo(
    () => organization && { organization, ...resources, reloadOrganization: () => own.reload() },
    [organization, resources, own],
  )

  if (organization === undefined && isNoneOfYours(error)) return <UnknownOrganization user={user} error={error} />
  return (
    <Shell user={user} route={route} organization={organization}>
      {context === undefined ? (
        error === undefined ? (
          <>
            <h1 className="visually-hidden">{title}</h1>
            <Skeleton what="organization" />
          </>
        ) : isRefusedByRule(error) ? (
          <LazyPart
            name="refused-by-rule"
            title={title}
            load={refusedByRule}
            props={{ organizationId, error, onMended: () => own.reload() }}
          />
        ) : (
          <>
            <h1 className="page-title">{title}</h1>
            <ErrorNotice error={error} retrying={loading} onRetry={() => void own.reload()} />
          </>
        )
      ) : (
        <OrganizationContext value={context}>
          {maySee(context.organization.role, page) ? (
            <LazyPart key={page} name={page} title={title} load={pages[page]} texts={textsOf[page]} props={{ user }} />
          ) : (
            <NotForYou organizationId={organizationId} />
          )}
        </OrganizationContext>
      )}
    </Shell>
  )
}

/** Whether a sign-in rule of the organization refuses the user, who can mend it. */
function isRefusedByRule(error: unknown): boolean {
  return isApiError(error) && (error.stepUp !== undefined || error.code === 'second_factor_required')
}

/** Few members see it. */
const refusedByRule = async () => (await import('../session/RefusedByRule.tsx')).RefusedByRule

/** Whether the address has an organization that does not exist or is not the user's, or an id that is none. */
function isNoneOfYours(error: unknown): boolean {
  return isApiError(error) && (error.status === 404 || error.status === 422)
}

/** Leads to the user's own organizations. */
function UnknownOrganization({ user, error }: { readonly user: User; readonly error: unknown }) {
  const texts = useTexts()
  const { unknown } = texts.app
  const status = isApiError(error) ? error.status : undefined
  return (
    <Shell user={user} route={{ page: 'unknown' }}>
      <PageHeader title={unknown.title} lead={status === 404 ? problemOf(error, texts).text : unknown.lead} />
      <Link className="button primary" to={{ page: 'organizations' }}>
        {unknown.link}
      </Link>
    </Shell>
  )
}

function NotForYou({ organizationId }: { readonly organizationId: string }) {
  const { notForYou } = useTexts().app
  return (
    <>
      <PageHeader title={notForYou.title} lead={notForYou.lead} />
      <Link className="button" to={{ page: 'overview', organizationId }}>
        {notForYou.link}
      </Link>
    </>
  )
}
