import { useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatDay } from '../ui/format.ts'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { useOrganization } from './organizationData.ts'

/** Deletes the organization, or, while that can be undone, takes it back. For owners. */
export function DeleteOrganization() {
  const { client } = useServices()
  const { organization, reloadOrganization } = useOrganization()
  const deletion = useStepUp(`delete ${organization.id}`, z.literal(true))
  const [isAsking, setAsking] = useState(deletion.isSignedIn)
  const action = useAction()
  const say = useToast()
  const path = { organization_id: organization.id }

  async function remove(): Promise<void> {
    await deletion.run(true, async () => {
      const { deletion_at } = await client.deleteOrganization({ path })
      say(`${organization.name} will be deleted on ${formatDay(deletion_at)}`)
    })
    await reloadOrganization()
  }

  async function restore(): Promise<void> {
    await client.restoreOrganization({ path })
    say(`${organization.name} stays`)
    await reloadOrganization()
  }

  return (
    <section className="panel" aria-labelledby="delete">
      <h2 id="delete">Delete the organization</h2>
      {organization.deletion_at === undefined ? (
        <p className="muted">
          It is erased 30 days later, with its members, invitations and billing details. Until then any owner can
          restore it. Cancel its subscriptions first.
        </p>
      ) : (
        <p>
          It will be deleted on <strong>{formatDay(organization.deletion_at)}</strong>. Until then nothing can be
          bought, and no one can join.
        </p>
      )}
      <ErrorNotice error={action.error} />
      <div className="panel-action">
        {organization.deletion_at === undefined ? (
          <Button kind="danger" onClick={() => setAsking(true)}>
            Delete organization
          </Button>
        ) : (
          <Button kind="primary" running={action.running} onClick={() => void action.run(restore)}>
            Restore organization
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={`Delete ${organization.name}?`}
          word={organization.name}
          confirm="Delete organization"
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          <p>All members lose access in 30 days, and everything is erased then. Any owner can restore it before.</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
