import { useState } from 'react'
import type { Member, User } from '../app/types.ts'
import { NoMatch } from '../lists/NoMatch.tsx'
import { RowSection } from '../lists/RowSection.tsx'
import { Loaded } from '../loading/Loaded.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { may } from '../organizations/permissions.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { PageHeader } from '../ui/PageHeader.tsx'
import { InvitationRow } from './InvitationRow.tsx'
import { InviteForm } from './InviteForm.tsx'
import { MemberRow } from './MemberRow.tsx'
import { MemberTools } from './MemberTools.tsx'
import { chooseMembers, everyMember } from './memberList.ts'

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
                <RowSection title={texts.invitations.title}>
                  {invitations.map((invitation) => (
                    <InvitationRow key={invitation.id} invitation={invitation} />
                  ))}
                </RowSection>
              )}
              <MemberList members={all} user={user} isOwner={canManage} />
            </>
          )}
        </Loaded>
      </div>
    </>
  )
}

interface MemberListProps {
  readonly members: readonly Member[]
  readonly user: User
  readonly isOwner: boolean
}

/** The members that the person looks for. A single member is not searched. */
function MemberList({ members, user, isOwner }: MemberListProps) {
  const [filter, setFilter] = useState(everyMember)
  const { format } = useLocalization()
  const texts = usePartTexts(memberTexts)
  const chosen = chooseMembers(members, filter, format.compare)
  return (
    <div>
      {members.length > 1 && <MemberTools filter={filter} onChange={setFilter} isOwner={isOwner} />}
      <RowSection
        title={texts.title}
        empty={<NoMatch icon="people" texts={texts.find} onShowAll={() => setFilter(everyMember)} />}
      >
        {chosen.map((member) => (
          <MemberRow key={member.user_id} member={member} isSelf={member.user_id === user.id} />
        ))}
      </RowSection>
    </div>
  )
}
