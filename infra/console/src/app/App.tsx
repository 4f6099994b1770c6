import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { LazyPart } from '../loading/LazyPart.tsx'
import { Skeleton } from '../loading/Skeleton.tsx'
import { OrganizationPages } from '../organizations/OrganizationPages.tsx'
import { organizationResource, productsResource } from '../organizations/organizationData.ts'
import { CallbackPage } from '../session/CallbackPage.tsx'
import { HandedOverPage } from '../session/HandedOverPage.tsx'
import type { Profile } from '../session/session.ts'
import { WelcomePage } from '../session/WelcomePage.tsx'
import { accountTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Icon } from '../ui/Icon.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { Link, useRoute } from './navigation.tsx'
import type { Route } from './route.ts'
import { Shell } from './Shell.tsx'
import { useServices } from './services.ts'

/** The console: the way in, or the pages of the user who is signed in. */
export function App() {
  return (
    <Toasts>
      <OfflineBanner />
      <CurrentPage />
    </Toasts>
  )
}

function CurrentPage() {
  const { session } = useServices()
  const { app } = useTexts()
  const route = useRoute()
  const state = useSyncExternalStore(session.subscribe, session.snapshot)
  const isCallback = route.page === 'callback'
  useEffect(() => {
    if (!isCallback && session.snapshot().kind === 'starting') void session.start()
  }, [session, isCallback])

  if (isCallback) return <CallbackPage />
  if (state.kind === 'starting' && state.hasTokens) return <OpeningPage route={route} />
  if (state.kind === 'signed-in') return <SignedIn profile={state} route={route} />
  if (state.kind === 'handed-over') return <HandedOverPage to={state.to} />
  if (state.kind === 'signed-out') return <WelcomePage notice={state.notice} />
  return (
    <main className="welcome">
      {state.kind === 'starting' ? (
        <p className="starting" role="status">
          <span className="spinner" aria-hidden="true" />
          {app.loading}
        </p>
      ) : (
        <div className="welcome-card">
          <h1>{app.failed.title}</h1>
          <ErrorNotice error={state.error} onRetry={() => void session.start()} />
        </div>
      )}
    </main>
  )
}

/** The menu while the user is being read. The organization of the page and the products are read at the same time. */
function OpeningPage({ route }: { readonly route: Route }) {
  const { app } = useTexts()
  return (
    <Shell route={route}>
      <h1 className="visually-hidden">{app.loading}</h1>
      {'organizationId' in route ? (
        <OpeningOrganization organizationId={route.organizationId} />
      ) : (
        <Skeleton what="page" />
      )}
    </Shell>
  )
}

function OpeningOrganization({ organizationId }: { readonly organizationId: string }) {
  const { client } = useServices()
  const queries = useQueryClient()
  useEffect(() => {
    // Unlike a component's own query, these go on when the page takes this one's place.
    void queries.prefetchQuery(organizationResource(queries, client, organizationId).options)
    void queries.prefetchQuery(productsResource(queries, client).options)
  }, [queries, client, organizationId])
  return <Skeleton what="organization" />
}

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Says that there is no connection, for as long as there is none. */
function OfflineBanner() {
  const { app } = useTexts()
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!isOnline && (
        <p className="offline">
          <Icon name="alert" />
          {app.offline}
        </p>
      )}
    </div>
  )
}

const organizationsPage = async () => (await import('../organizations/managementPages.ts')).ChooseOrganizationPage
const newOrganizationPage = async () => (await import('../organizations/managementPages.ts')).NewOrganizationPage
const profilePage = async () => (await import('../session/accountPages.ts')).ProfilePage
const activityPage = async () => (await import('../session/accountPages.ts')).AccountActivityPage
const securityPage = async () => (await import('../session/accountPages.ts')).SecurityPage

/** The page of an address, for a signed-in user. */
function SignedIn({ profile, route }: { readonly profile: Profile; readonly route: Route }) {
  const { user } = profile
  const { app } = useTexts()
  if ('organizationId' in route) return <OrganizationPages key={route.organizationId} user={user} route={route} />
  return (
    <Shell user={user} route={route}>
      {route.page === 'organizations' && (
        <LazyPart name="organizations" title={app.navigation.organizations} load={organizationsPage} props={{ user }} />
      )}
      {route.page === 'new-organization' && (
        <LazyPart name="new-organization" title={app.navigation.organizations} load={newOrganizationPage} props={{}} />
      )}
      {route.page === 'profile' && (
        <LazyPart
          name="profile"
          title={app.navigation.account}
          load={profilePage}
          texts={accountTexts}
          props={{ profile }}
        />
      )}
      {route.page === 'security' && (
        <LazyPart name="security" title={app.security} load={securityPage} texts={accountTexts} props={{ user }} />
      )}
      {route.page === 'account-activity' && (
        <LazyPart
          name="account-activity"
          title={app.accountActivity}
          load={activityPage}
          texts={accountTexts}
          props={{}}
        />
      )}
      {route.page === 'unknown' && <UnknownPage />}
    </Shell>
  )
}

/** An address at which nothing is. */
function UnknownPage() {
  const {
    app: { unknown },
  } = useTexts()
  return (
    <>
      <PageHeader title={unknown.title} lead={unknown.lead} />
      <p>
        <Link className="button primary" to={{ page: 'organizations' }}>
          {unknown.link}
        </Link>
      </p>
    </>
  )
}
