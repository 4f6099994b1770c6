import { navigate } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { ReceivedInvitation } from '../app/types.ts'
import { Row } from '../lists/Row.tsx'
import { RowSection } from '../lists/RowSection.tsx'
import { useResource } from '../loading/resource.ts'
import { useLocalization, useTexts } from '../texts/useLocalization.ts'
import { wordIn } from '../texts/wordIn.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { type Action, useAction } from '../ui/useAction.ts'
import { useReceivedInvitations } from './receivedInvitations.ts'

/** The invitations to the user's address, to accept or decline; nothing if there are none. */
export function ReceivedInvitations() {
  const { received: texts } = useTexts().organizations
  const invitations = useReceivedInvitations()
  const { value = [], error, loading } = useResource(invitations)
  return (
    <>
      <ErrorNotice error={error} retrying={loading} onRetry={() => void invitations.reload()} />
      {value.length > 0 && (
        <RowSection title={texts.title}>
          {value.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </RowSection>
      )}
    </>
  )
}

function InvitationRow({ invitation }: { readonly invitation: ReceivedInvitation }) {
  const { client } = useServices()
  const invitations = useReceivedInvitations()
  const { texts, format } = useLocalization()
  const { received: own, roles } = texts.organizations
  const accepting = useAction()
  const declining = useAction()
  const say = useToast()
  const { id, organization, role, invited_by, expires_at } = invitation
  const { name } = organization
  const path = { invitation_id: id }

  const forget = () => invitations.set((invitations.value() ?? []).filter((one) => one.id !== id))

  async function accept(): Promise<void> {
    if (!(await accepting.run(() => client.acceptReceivedInvitation({ path })))) return
    forget()
    say(own.accept.done(name))
    navigate({ page: 'overview', organizationId: organization.id })
  }

  async function decline(): Promise<void> {
    if (!(await declining.run(() => client.declineReceivedInvitation({ path })))) return
    forget()
    say(own.decline.done(name))
  }

  return (
    <Row
      person={name}
      title={name}
      error={accepting.error ?? declining.error}
      actions={
        <>
          <Answer kind="primary" texts={own.accept} name={name} action={accepting} other={declining} send={accept} />
          <Answer texts={own.decline} name={name} action={declining} other={accepting} send={decline} />
        </>
      }
    >
      <p className="muted">{invited_by === null ? own.byDomain : own.by(invited_by, wordIn(roles, role))}</p>
      {expires_at !== null && <p className="muted small">{own.until(format.day(expires_at))}</p>}
    </Row>
  )
}

interface AnswerProps {
  readonly kind?: 'primary'
  readonly texts: { readonly button: string; readonly named: (organization: string) => string }
  /** The organization's. */
  readonly name: string
  readonly action: Action
  /** The other answer: while it is sent, this one cannot be. */
  readonly other: Action
  readonly send: () => Promise<void>
}

function Answer({ kind, texts, name, action, other, send }: AnswerProps) {
  return (
    <Button
      {...(kind && { kind })}
      label={texts.named(name)}
      running={action.running}
      disabled={other.running}
      onClick={() => void send()}
    >
      {texts.button}
    </Button>
  )
}
