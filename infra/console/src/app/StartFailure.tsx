import { Button } from '../ui/Button.tsx'
import { Brand } from './Brand.tsx'

/** The console cannot start: its configuration is missing, or the browser is offline. */
export function StartFailure({ error }: { readonly error: unknown }) {
  return (
    <main className="welcome">
      <div className="welcome-card">
        <Brand />
        <h1>The console could not be loaded</h1>
        <p className="lead">Check your internet connection, then try again.</p>
        <p className="hint">{error instanceof Error ? error.message : String(error)}</p>
        <Button kind="primary" wide onClick={() => location.reload()}>
          Try again
        </Button>
      </div>
    </main>
  )
}
