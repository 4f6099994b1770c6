import { useServices } from '../app/services.ts'
import type { UserSession } from '../app/types.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { formatDay, formatTime } from '../ui/format.ts'
import { Row } from '../ui/Row.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'

interface SessionListProps {
  readonly sessions: readonly UserSession[]
  readonly reload: () => Promise<void>
}

/** The sessions of the user, the last used first. */
export function SessionList({ sessions, reload }: SessionListProps) {
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">
        Sessions <span className="count">{sessions.length}</span>
      </h2>
      <ul className="rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} reload={reload} />
        ))}
      </ul>
      <p className="hint">Do you not know one of them? End it, and change your password.</p>
    </section>
  )
}

function SessionRow({ session, reload }: { readonly session: UserSession; readonly reload: () => Promise<void> }) {
  const { client } = useServices()
  const action = useAction()
  const say = useToast()
  const { id, browser, current, created_at, last_used_at } = session
  const name = browser ?? 'Unknown browser'

  async function end(): Promise<void> {
    const done = await action.run(async () => {
      await client.endSession({ path: { session_id: id } })
      await reload()
    })
    if (done) say(`The session in ${name} has ended`)
  }

  return (
    <Row
      icon="screen"
      title={name}
      badges={current && <Badge tone="good">This session</Badge>}
      error={action.error}
      actions={
        !current && (
          <Button
            kind="quiet"
            label={`End the session of ${session.client} in ${name}`}
            running={action.running}
            onClick={() => void end()}
          >
            End
          </Button>
        )
      }
    >
      <p className="muted">
        {session.client} · Since {formatDay(created_at)}
      </p>
      <p className="muted">Last used {formatTime(last_used_at)}</p>
    </Row>
  )
}
