import { useServices } from '../app/services.ts'
import type { Member, Role } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { may } from '../organizations/permissions.ts'
import { nothing, useStepUp } from '../session/useStepUp.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { ConfirmButton } from '../ui/ConfirmDialog.tsx'
import { Row } from '../ui/Row.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { RoleSelect } from './RoleSelect.tsx'
import { roleSchema } from './roleSchema.ts'

interface MemberRowProps {
  readonly member: Member
  /** The user who looks at it. */
  readonly isSelf: boolean
}

/** A member with the role; an owner changes it here, or removes the member. */
export function MemberRow({ member, isSelf }: MemberRowProps) {
  const { client } = useServices()
  const { organization, members, reloadOrganization } = useOrganization()
  const { organizations, ui } = useTexts()
  const texts = usePartTexts(memberTexts)
  const action = useAction()
  const say = useToast()
  const name = member.username ?? texts.deletedUser
  const path = { organization_id: organization.id, user_id: member.user_id }
  const canManage = may(organization.role, 'manage members')

  const promotion = useStepUp(`role ${organization.id} ${member.user_id}`, roleSchema, (role) => void changeRole(role))
  const removal = useStepUp(`remove ${organization.id} ${member.user_id}`, nothing)

  async function changeRole(role: Role): Promise<void> {
    const done = await action.run(async () => {
      await promotion.run(role, () => client.updateMember({ path, body: { role } }))
      await members.reload()
      if (isSelf) await reloadOrganization()
    })
    if (done) say(texts.roleChanged(name, organizations.roles[role]))
  }

  async function remove(): Promise<void> {
    await removal.run(true, () => client.removeMember({ path }))
    await members.reload()
    say(texts.remove.done(name))
  }

  return (
    <Row
      person={name}
      title={name}
      badges={isSelf && <Badge tone="neutral">{texts.you}</Badge>}
      error={action.error}
      actions={
        <>
          {canManage ? (
            <RoleSelect
              label={texts.roleOf(name)}
              value={member.role}
              disabled={action.running}
              onChange={(role) => void changeRole(role)}
            />
          ) : (
            <span className="muted">{organizations.roles[member.role]}</span>
          )}
          {canManage && !isSelf && (
            <ConfirmButton
              button={ui.remove}
              label={texts.remove.named(name)}
              title={texts.remove.question(name)}
              confirm={texts.remove.confirm}
              asksAtOnce={removal.isSignedIn}
              onConfirm={remove}
            >
              <p>{texts.remove.effects(name, organization.name)}</p>
            </ConfirmButton>
          )}
        </>
      }
    >
      {member.email && <p className="muted">{member.email}</p>}
    </Row>
  )
}
