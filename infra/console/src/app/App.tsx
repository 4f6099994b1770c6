import { useEffect, useSyncExternalStore } from 'react'
import { CallbackPage } from '../session/CallbackPage.tsx'
import { WelcomePage } from '../session/WelcomePage.tsx'
import { useTexts } from '../texts/useLocalization.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Toasts } from '../ui/Toasts.tsx'
import { useRoute } from './navigation.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { SignedIn } from './SignedIn.tsx'
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
  if (state.kind === 'signed-in') return <SignedIn user={state.user} route={route} />
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
