import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { fieldProblems } from '../app/fieldProblems.ts'
import { useServices } from '../app/services.ts'
import type { GivenRole } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Field, TextField } from '../ui/Field.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { RoleSelect } from './RoleSelect.tsx'
import { roleSchema } from './roleSchema.ts'

const invitation = z.object({ email: z.string(), role: roleSchema })

/** Invites a person by email. */
export function InviteForm() {
  const { client } = useServices()
  const { organization, members } = useOrganization()
  const stepUp = useStepUp(`invite ${organization.id}`, invitation, (kept) => void invite(kept))
  const [email, setEmail] = useState(stepUp.kept?.email ?? '')
  const [role, setRole] = useState<GivenRole>(stepUp.kept?.role ?? 'member')
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
