import { useEffect } from 'react'
import { Brand } from '../app/Brand.tsx'
import { addressOf, useRoute } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useAction } from '../ui/useAction.ts'

/** The way in, for a browser that is not signed in. It comes back to the page that was asked for. */
export function WelcomePage({ notice }: { readonly notice: string | undefined }) {
  const { session } = useServices()
  const route = useRoute()
  const action = useAction()
  useEffect(() => {
    document.title = 'Sign in · Console'
  }, [])
  return (
    <main className="welcome">
      <div className="welcome-card">
        <Brand />
        <h1>Everything your devices need, in one place</h1>
        <p className="lead">Choose the products that your team uses, and manage what you pay for.</p>
        {notice && (
          <p className="notice neutral" role="status">
            <Icon name="info" />
            {notice}
          </p>
        )}
        <ErrorNotice error={action.error} />
        <Button
          kind="primary"
          wide
          running={action.running}
          onClick={() => void action.run(() => session.signIn(addressOf(route)))}
        >
          Sign in
        </Button>
        <p className="hint">New here? You can create an account on the next page.</p>
      </div>
    </main>
  )
}
