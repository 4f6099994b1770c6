import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { fieldProblems } from '../app/fieldProblems.ts'
import { useServices } from '../app/services.ts'
import type { Invitation, Role, User } from '../app/types.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useLocalization, useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Field, TextField } from '../ui/Field.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { Row } from '../ui/Row.tsx'
import { RowSection } from '../ui/RowSection.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { MemberRow } from './MemberRow.tsx'
import { useOrganization } from './organizationData.ts'
import { may } from './permissions.ts'
import { RoleSelect } from './RoleSelect.tsx'
import { roleSchema } from './roleSchema.ts'

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

/** An invitation that was not accepted yet. */
function InvitationRow({ invitation }: { readonly invitation: Invitation }) {
  const { client } = useServices()
  const { organization, members } = useOrganization()
  const { texts, format } = useLocalization()
  const own = usePartTexts(memberTexts).invitations
  const action = useAction()
  const say = useToast()
  const { id, email, role, expires_at } = invitation
  const isExpired = Date.parse(expires_at) <= Date.now()

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
        <Button kind="quiet" label={own.withdrawNamed(email)} running={action.running} onClick={() => void revoke()}>
          {own.withdraw}
        </Button>
      }
    >
      <p className="muted">
        {(isExpired ? own.expired : own.expires)(texts.organizations.roles[role], format.day(expires_at))}
      </p>
    </Row>
  )
}

const invitation = z.object({ email: z.string(), role: roleSchema })

/** Invites a person by email. */
function InviteForm() {
  const { client } = useServices()
  const { organization, members } = useOrganization()
  const stepUp = useStepUp(`invite ${organization.id}`, invitation, (kept) => void invite(kept))
  const [email, setEmail] = useState(stepUp.kept?.email ?? '')
  const [role, setRole] = useState<Role>(stepUp.kept?.role ?? 'member')
  const action = useAction()
  const texts = useTexts()
  const { invite: own } = usePartTexts(memberTexts)
  const say = useToast()
  const problem = fieldProblems(action.error, texts, texts.problems.fields).email

  async function invite(body: z.output<typeof invitation>): Promise<void> {
    const sent = await action.run(async () => {
      await stepUp.run(body, () => client.createInvitation({ path: { organization_id: organization.id }, body }))
      await members.reload()
    })
    if (!sent) return
    say(own.done(body.email))
    setEmail('')
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void invite({ email: email.trim(), role })
  }

  return (
    <form className="panel invite" aria-labelledby="invite" onSubmit={submit} noValidate>
      <h2 id="invite">{own.title}</h2>
      <div className="invite-fields">
        <TextField
          label={own.email}
          problem={problem}
          type="email"
          value={email}
          autoComplete="off"
          placeholder={own.example}
          onChange={setEmail}
        />
        <Field label={own.role}>
          {(attributes) => <RoleSelect value={role} onChange={setRole} attributes={attributes} />}
        </Field>
        <Button kind="primary" type="submit" running={action.running} disabled={email.trim() === ''}>
          {own.button}
        </Button>
      </div>
      <p className="hint">{texts.organizations.roleHints[role]}</p>
      {problem === undefined && <ErrorNotice error={action.error} />}
    </form>
  )
}
