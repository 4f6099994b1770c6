import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { Brand } from './Brand.tsx'

/** The console cannot start: its configuration is missing, or the browser is offline. */
export function StartFailure({ error }: { readonly error: unknown }) {
  const { app, ui } = useTexts()
  return (
    <main className="welcome">
      <div className="welcome-card">
        <Brand />
        <h1>{app.failed.title}</h1>
        <p className="lead">{app.failed.text}</p>
        <p className="hint">{error instanceof Error ? error.message : String(error)}</p>
        <Button kind="primary" wide onClick={() => location.reload()}>
          {ui.tryAgain}
        </Button>
      </div>
    </main>
  )
}
