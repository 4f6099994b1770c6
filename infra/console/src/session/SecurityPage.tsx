import { useMemo, useState } from 'react'
import { useServices } from '../app/services.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { createResource } from '../ui/resource.ts'
import { ConsentList } from './ConsentList.tsx'
import { SessionList } from './SessionList.tsx'

/** The user's sessions, and the applications that may act for the user; ends each, or all. */
export function SecurityPage() {
  const { client, session } = useServices()
  const { security } = useTexts().session
  const [isEnding, setEnding] = useState(false)
  const [sessions, consents] = useMemo(
    () => [
      createResource(async () => (await client.listSessions()).sessions),
      createResource(async () => (await client.listConsents()).consents),
    ],
    [client],
  )
  return (
    <>
      <PageHeader title={security.title} lead={security.lead}>
        <Button onClick={() => setEnding(true)}>{security.everywhere}</Button>
      </PageHeader>
      <div className="stack">
        <Loaded resource={sessions} what="sessions">
          {(all) => <SessionList sessions={all} reload={sessions.reload} />}
        </Loaded>
        <Loaded resource={consents} what="applications">
          {(all) => (
            <ConsentList
              consents={all}
              // When a user withdraws an application's access, its sessions end as well.
              reload={async () => {
                await Promise.all([consents.reload(), sessions.reload()])
              }}
            />
          )}
        </Loaded>
      </div>
      {isEnding && (
        <ConfirmDialog
          title={security.everywhereQuestion}
          confirm={security.everywhere}
          keep={security.stay}
          onConfirm={() => session.signOutEverywhere()}
          onClose={() => setEnding(false)}
        >
          <p>{security.everywhereText}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
