import { useState } from 'react'
import { useServices } from '../app/services.ts'
import type { GivenRole, Member, Role } from '../app/types.ts'
import { Row } from '../lists/Row.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { may } from '../organizations/permissions.ts'
import { nothing, useStepUp } from '../session/useStepUp.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { wordIn } from '../texts/wordIn.ts'
import { Badge } from '../ui/Badge.tsx'
import { ConfirmButton, ConfirmDialog } from '../ui/ConfirmDialog.tsx'
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
  const [isPromoting, setPromoting] = useState(false)
  const say = useToast()
  const name = member.username ?? texts.deletedUser
  const path = { organization_id: organization.id, user_id: member.user_id }
  const canManage = may(organization.role, 'manage members')

  const promotion = useStepUp(`role ${organization.id} ${member.user_id}`, roleSchema, (role) => void changeRole(role))
  const removal = useStepUp(`remove ${organization.id} ${member.user_id}`, nothing)

  async function setRole(role: GivenRole): Promise<void> {
    await promotion.run(role, () => client.updateMember({ path, body: { role } }))
    await members.reload()
    if (isSelf) await reloadOrganization()
  }

  /** An owner who gave up the role cannot take it back. */
  function sayChanged(from: Role, to: GivenRole): void {
    const { data: before } = roleSchema.safeParse(from)
    const undo = before && { label: texts.undo, run: () => void changeRole(before) }
    say(texts.roleChanged(name, wordIn(organizations.roles, to)), 'check', isSelf || from === to ? undefined : undo)
  }

  async function changeRole(role: GivenRole): Promise<void> {
    if (await action.run(() => setRole(role))) sayChanged(member.role, role)
  }

  async function promote(): Promise<void> {
    await setRole('owner')
    sayChanged(member.role, 'owner')
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
      badges={
        <>
          {isSelf && <Badge tone="neutral">{texts.you}</Badge>}{' '}
          {member.has_second_factor !== null && (
            <Badge tone={member.has_second_factor ? 'good' : 'warn'}>
              {member.has_second_factor ? texts.secondFactor : texts.noSecondFactor}
            </Badge>
          )}
        </>
      }
      error={action.error}
      actions={
        <>
          {canManage ? (
            <RoleSelect
              label={texts.roleOf(name)}
              value={member.role}
              disabled={action.running}
              onChange={(role) => (role === 'owner' ? setPromoting(true) : void changeRole(role))}
            />
          ) : (
            <span className="muted">{wordIn(organizations.roles, member.role)}</span>
          )}
          {isPromoting && (
            <ConfirmDialog
              title={texts.promote.question(name)}
              confirm={texts.promote.confirm}
              keep={texts.promote.keep}
              onConfirm={promote}
              onClose={() => setPromoting(false)}
            >
              <p>{texts.promote.effects(name, organization.name)}</p>
            </ConfirmDialog>
          )}
          {canManage && !isSelf && (
            <ConfirmButton
              texts={{ button: ui.remove, ...texts.remove }}
              name={name}
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
