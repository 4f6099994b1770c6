import { useState } from 'react'
import { navigate } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { User } from '../app/types.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { DeleteOrganization } from './DeleteOrganization.tsx'
import { useOrganization } from './organizationData.ts'
import { may } from './permissions.ts'
import { RenameForm } from './RenameForm.tsx'
import { TransferForm } from './TransferForm.tsx'

/** The organization itself: its name, its owner, and the way out of it. */
export function SettingsPage({ user }: { readonly user: User }) {
  const { client } = useServices()
  const { organization } = useOrganization()
  const [isLeaving, setLeaving] = useState(false)
  const say = useToast()
  const canManage = may(organization.role, 'manage organization')

  async function leave(): Promise<void> {
    await client.leaveOrganization({ path: { organization_id: organization.id } })
    say(`You have left ${organization.name}`)
    navigate({ page: 'organizations' }, true)
  }

  return (
    <>
      <PageHeader title="Settings" lead={`What ${organization.name} is called, and who owns it.`} />
      <div className="stack narrow">
        {canManage && <RenameForm />}
        {canManage && <TransferForm user={user} />}
        <section className="panel" aria-labelledby="leave">
          <h2 id="leave">Leave the organization</h2>
          <p className="muted">You lose access right away. An owner can invite you again.</p>
          <div className="panel-action">
            <Button kind="danger" onClick={() => setLeaving(true)}>
              Leave organization
            </Button>
          </div>
        </section>
        {canManage && <DeleteOrganization />}
      </div>
      {isLeaving && (
        <ConfirmDialog
          title={`Leave ${organization.name}?`}
          confirm="Leave organization"
          keep="Stay"
          onConfirm={leave}
          onClose={() => setLeaving(false)}
        >
          <p>You lose access right away. Its subscriptions go on.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
