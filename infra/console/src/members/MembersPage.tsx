import type { User } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { may } from '../organizations/permissions.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { RowSection } from '../ui/RowSection.tsx'
import { InvitationRow } from './InvitationRow.tsx'
import { InviteForm } from './InviteForm.tsx'
import { MemberRow } from './MemberRow.tsx'

/** Who belongs to the organization; owners invite, change roles and remove. */
export function MembersPage({ user }: { readonly user: User }) {
  const { organization, members } = useOrganization()
  const texts = usePartTexts(memberTexts)
  const canManage = may(organization.role, 'manage members')
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead(organization.name)} />
      <div className="stack">
        {canManage && <InviteForm />}
        <Loaded resource={members} what="members">
          {({ members: all, invitations }) => (
            <>
              {canManage && invitations.length > 0 && (
                <RowSection id="invitations" title={texts.invitations.title}>
                  {invitations.map((invitation) => (
                    <InvitationRow key={invitation.id} invitation={invitation} />
                  ))}
                </RowSection>
              )}
              <RowSection id="members" title={texts.title}>
                {all.map((member) => (
                  <MemberRow key={member.user_id} member={member} isSelf={member.user_id === user.id} />
                ))}
              </RowSection>
            </>
          )}
        </Loaded>
      </div>
    </>
  )
}
