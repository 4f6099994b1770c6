import { useServices } from '../app/services.ts'
import type { UserSession } from '../app/types.ts'
import { useLocalization, useTexts } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Row } from '../ui/Row.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'

interface SessionListProps {
  readonly sessions: readonly UserSession[]
  readonly reload: () => Promise<void>
}

/** The sessions of the user, the last used first. */
export function SessionList({ sessions, reload }: SessionListProps) {
  const { sessions: texts } = useTexts().session
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">
        {texts.title} <span className="count">{sessions.length}</span>
      </h2>
      <ul className="rows">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} reload={reload} />
        ))}
      </ul>
      <p className="hint">{texts.hint}</p>
    </section>
  )
}

function SessionRow({ session, reload }: { readonly session: UserSession; readonly reload: () => Promise<void> }) {
  const { client } = useServices()
  const { texts, format } = useLocalization()
  const { sessions } = texts.session
  const action = useAction()
  const say = useToast()
  const { id, browser, current, created_at, last_used_at } = session
  const name = browser === null ? sessions.unknownBrowser : sessions.browser(browser)

  async function end(): Promise<void> {
    const done = await action.run(async () => {
      await client.endSession({ path: { session_id: id } })
      await reload()
    })
    if (done) say(sessions.ended(name))
  }

  return (
    <Row
      icon="screen"
      title={name}
      badges={current && <Badge tone="good">{sessions.current}</Badge>}
      error={action.error}
      actions={
        !current && (
          <Button
            kind="quiet"
            label={sessions.endNamed(session.client, name)}
            running={action.running}
            onClick={() => void end()}
          >
            {sessions.end}
          </Button>
        )
      }
    >
      <p className="muted">{sessions.since(session.client, format.day(created_at))}</p>
      <p className="muted">{sessions.lastUsed(format.time(last_used_at))}</p>
    </Row>
  )
}
