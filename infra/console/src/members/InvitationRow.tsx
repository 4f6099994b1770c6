import { useServices } from '../app/services.ts'
import type { Invitation } from '../app/types.ts'
import { Row } from '../lists/Row.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { nothing, useStepUp } from '../session/useStepUp.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { wordIn } from '../texts/wordIn.ts'
import { Button } from '../ui/Button.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'

/** An invitation that was not accepted yet. */
export function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { client } = useServices()
  const { organization, members } = useOrganization()
  const { texts, format } = useLocalization()
  const own = usePartTexts(memberTexts).invitations
  const action = useAction()
  const say = useToast()
  const { id, email, role, expires_at } = invitation
  const isExpired = Date.parse(expires_at) <= Date.now()

  const sending = useStepUp(`resend ${organization.id} ${id}`, nothing, () => void resend())

  async function resend(): Promise<void> {
    const done = await action.run(async () => {
      const path = { organization_id: organization.id, invitation_id: id }
      await sending.run(true, () => client.resendInvitation({ path }))
      await members.reload()
    })
    if (done) say(own.resent(email))
  }

  async function revoke(): Promise<void> {
    const done = await action.run(async () => {
      await client.revokeInvitation({ path: { organization_id: organization.id, invitation_id: id } })
      await members.reload()
    })
    if (done) say(own.withdrawn(email))
  }

  return (
    <Row
      icon="person"
      title={email}
      error={action.error}
      actions={
        <>
          <Button label={own.resendNamed(email)} disabled={action.running} onClick={() => void resend()}>
            {own.resend}
          </Button>
          <Button kind="quiet" label={own.withdrawNamed(email)} disabled={action.running} onClick={() => void revoke()}>
            {own.withdraw}
          </Button>
        </>
      }
    >
      <p className="muted">
        {(isExpired ? own.expired : own.expires)(wordIn(texts.organizations.roles, role), format.day(expires_at))}
      </p>
    </Row>
  )
}
