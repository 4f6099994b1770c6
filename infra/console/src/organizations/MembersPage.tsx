import type { User } from '../app/types.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { InvitationList } from './InvitationList.tsx'
import { InviteForm } from './InviteForm.tsx'
import { MemberRow } from './MemberRow.tsx'
import { useOrganization } from './organizationData.ts'
import { may } from './permissions.ts'

/** Who belongs to the organization; owners invite, change roles and remove. */
export function MembersPage({ user }: { readonly user: User }) {
  const { organization, members } = useOrganization()
  const texts = useTexts().members
  const canManage = may(organization.role, 'manage members')
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead(organization.name)} />
      <div className="stack">
        {canManage && <InviteForm />}
        <Loaded resource={members} what="members">
          {({ members: all, invitations }) => (
            <>
              {canManage && invitations.length > 0 && <InvitationList invitations={invitations} />}
              <section aria-labelledby="members">
                <h2 id="members">
                  {texts.title} <span className="count">{all.length}</span>
                </h2>
                <ul className="rows">
                  {all.map((member) => (
                    <MemberRow key={member.user_id} member={member} isSelf={member.user_id === user.id} />
                  ))}
                </ul>
              </section>
            </>
          )}
        </Loaded>
      </div>
    </>
  )
}
