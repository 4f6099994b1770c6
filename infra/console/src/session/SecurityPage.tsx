import { useMemo } from 'react'
import { useServices } from '../app/services.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { createResource } from '../ui/resource.ts'
import { ConsentList } from './ConsentList.tsx'
import { SessionList } from './SessionList.tsx'

/** The user's sessions, and the applications that may act for the user; ends each, or all. */
export function SecurityPage() {
  const { client, session } = useServices()
  const { security } = useTexts().session
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
        <ConfirmButton
          kind="plain"
          button={security.everywhere}
          title={security.everywhereQuestion}
          confirm={security.everywhere}
          keep={security.stay}
          onConfirm={() => session.signOutEverywhere()}
        >
          <p>{security.everywhereText}</p>
        </ConfirmButton>
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
    </>
  )
}
