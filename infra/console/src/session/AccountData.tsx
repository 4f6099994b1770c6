import { useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatDay } from '../ui/format.ts'
import { saveFile } from '../ui/saveFile.ts'
import { useAction } from '../ui/useAction.ts'
import { useStepUp } from './useStepUp.ts'

/** What is kept of the user: a copy of it, and its end. */
export function AccountData({ user }: { readonly user: User }) {
  const { client, session } = useServices()
  const deletion = useStepUp('delete account', z.literal(true))
  const [isAsking, setAsking] = useState(deletion.isSignedIn)
  const action = useAction()

  async function download(): Promise<void> {
    saveFile('account.json', JSON.stringify(await client.exportCurrentUser(), null, 2))
  }

  async function remove(): Promise<void> {
    await deletion.run(true, async () => {
      const { deletion_at } = await client.deleteCurrentUser()
      session.end(`Your account will be deleted on ${formatDay(deletion_at)}. The link in our email takes that back.`)
    })
  }

  return (
    <>
      <section className="panel" aria-labelledby="export">
        <h2 id="export">Your data</h2>
        <p className="muted">Your profile, your organizations and roles, and what you did there, as a JSON file.</p>
        <ErrorNotice error={action.error} />
        <div className="panel-action">
          <Button running={action.running} onClick={() => void action.run(download)}>
            Download your data
          </Button>
        </div>
      </section>
      <section className="panel" aria-labelledby="delete">
        <h2 id="delete">Delete your account</h2>
        <p className="muted">
          You are signed out right away, and everything personal is erased 30 days later. Until then the link in our
          email takes it back.
        </p>
        <div className="panel-action">
          <Button kind="danger" onClick={() => setAsking(true)}>
            Delete account
          </Button>
        </div>
      </section>
      {isAsking && (
        <ConfirmDialog
          title="Delete your account?"
          word={user.username}
          confirm="Delete account"
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>
            Organizations that you alone are a member of are deleted with it. Of organizations with other owners you
            become a billing admin.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
