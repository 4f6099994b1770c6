import { useEffect, useRef } from 'react'
import { navigate } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import { useTexts } from '../texts/useLocalization.ts'

/** The page that the hosted pages return to: completes the sign-in, and shows the page on which it began. */
export function CallbackPage() {
  const { session, stepUp } = useServices()
  const texts = useTexts()
  const begun = useRef(false)
  useEffect(() => {
    // A code works once: the effect may run twice.
    if (begun.current) return
    begun.current = true
    session.complete(location.href).then(({ returnTo, isSignedIn }) => {
      if (isSignedIn) stepUp.signedIn()
      navigate(returnTo ?? { page: 'organizations' }, true)
    })
  }, [session, stepUp])
  return (
    <main className="welcome">
      <p className="starting" role="status">
        <span className="spinner" aria-hidden="true" />
        {texts.session.signingIn}
      </p>
    </main>
  )
}
