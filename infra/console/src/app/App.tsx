import { useEffect, useSyncExternalStore } from 'react'
import { ChooseOrganizationPage } from '../organizations/ChooseOrganizationPage.tsx'
import { NewOrganizationPage } from '../organizations/NewOrganizationPage.tsx'
import { OrganizationPages } from '../organizations/OrganizationPages.tsx'
import { CallbackPage } from '../session/CallbackPage.tsx'
import { HandedOverPage } from '../session/HandedOverPage.tsx'
import { ProfilePage } from '../session/ProfilePage.tsx'
import { SecurityPage } from '../session/SecurityPage.tsx'
import type { Profile } from '../session/session.ts'
import { WelcomePage } from '../session/WelcomePage.tsx'
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

/** The page of an address, for a signed-in user. */
function SignedIn({ profile, route }: { readonly profile: Profile; readonly route: Route }) {
  const { user } = profile
  if ('organizationId' in route) return <OrganizationPages key={route.organizationId} user={user} route={route} />
  return (
    <Shell user={user} route={route}>
      {route.page === 'organizations' && <ChooseOrganizationPage user={user} />}
      {route.page === 'new-organization' && <NewOrganizationPage />}
      {route.page === 'profile' && <ProfilePage profile={profile} />}
      {route.page === 'security' && <SecurityPage />}
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
