import { useServices } from '../app/services.ts'
import type { Invitation } from '../app/types.ts'
import { Button } from '../ui/Button.tsx'
import { formatDay } from '../ui/format.ts'
import { Row } from '../ui/Row.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { useOrganization } from './organizationData.ts'
import { roleNames } from './permissions.ts'

/** Invitations that were not accepted yet. */
export function InvitationList({ invitations }: { readonly invitations: readonly Invitation[] }) {
  return (
    <section aria-labelledby="invitations">
      <h2 id="invitations">
        Invited <span className="count">{invitations.length}</span>
      </h2>
      <ul className="rows">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </section>
  )
}

function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { client } = useServices()
  const { organization, members } = useOrganization()
  const action = useAction()
  const say = useToast()
  const { id, email, role, expires_at } = invitation
  const isExpired = Date.parse(expires_at) <= Date.now()

  async function revoke(): Promise<void> {
    const done = await action.run(async () => {
      await client.revokeInvitation({ path: { organization_id: organization.id, invitation_id: id } })
      await members.reload()
    })
    if (done) say(`The invitation of ${email} is withdrawn`)
  }

  return (
    <Row
      icon="person"
      title={email}
      error={action.error}
      actions={
        <Button
          kind="quiet"
          label={`Withdraw the invitation of ${email}`}
          running={action.running}
          onClick={() => void revoke()}
        >
          Withdraw
        </Button>
      }
    >
      <p className="muted">
        {roleNames[role]} · {isExpired ? 'Expired' : 'Expires'} on {formatDay(expires_at)}
      </p>
    </Row>
  )
}
