import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { OrganizationPage } from '../app/route.ts'
import { Shell } from '../app/Shell.tsx'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { CardsPage } from '../billing/CardsPage.tsx'
import { DetailsPage } from '../billing/DetailsPage.tsx'
import { InvoicesPage } from '../billing/InvoicesPage.tsx'
import { ProductsPage } from '../billing/ProductsPage.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useResource } from '../ui/resource.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ActivityPage } from './ActivityPage.tsx'
import { ApiClientsPage } from './ApiClientsPage.tsx'
import { MembersPage } from './MembersPage.tsx'
import { OrganizationContext, organizationResource, organizationResources } from './organizationData.ts'
import { maySee } from './permissions.ts'
import { SettingsPage } from './SettingsPage.tsx'

interface OrganizationPagesProps {
  readonly user: User
  readonly route: { readonly page: OrganizationPage; readonly organizationId: string }
}

const pages: Readonly<Record<OrganizationPage, (props: { user: User }) => ReactNode>> = {
  products: () => <ProductsPage />,
  cards: () => <CardsPage />,
  invoices: () => <InvoicesPage />,
  details: () => <DetailsPage />,
  members: ({ user }) => <MembersPage user={user} />,
  'api-clients': () => <ApiClientsPage />,
  activity: () => <ActivityPage />,
  settings: ({ user }) => <SettingsPage user={user} />,
}

/** The pages of an organization, shown when it and the user's role there are known. */
export function OrganizationPages({ user, route }: OrganizationPagesProps) {
  const { client } = useServices()
  const { page, organizationId } = route
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

  return (
    <Shell user={user} route={route} organization={organization}>
      {context === undefined ? (
        error === undefined ? (
          <Skeleton what="organization" />
        ) : (
          <ErrorNotice error={error} retrying={loading} onRetry={() => void own.reload()} />
        )
      ) : (
        <OrganizationContext value={context}>
          {maySee(context.organization.role, page) ? pages[page]({ user }) : <NotForYou />}
        </OrganizationContext>
      )}
    </Shell>
  )
}

function NotForYou() {
  const { notForYou } = useTexts().app
  return <PageHeader title={notForYou.title} lead={notForYou.lead} />
}
