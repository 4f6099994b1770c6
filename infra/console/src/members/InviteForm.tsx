import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import type { GivenRole } from '../app/types.ts'
import { Field, TextField } from '../forms/Field.tsx'
import { useForm } from '../forms/useForm.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { RoleSelect } from './RoleSelect.tsx'
import { roleSchema } from './roleSchema.ts'

const invitation = z.object({ email: z.string(), role: roleSchema })

/** Invites a person by email. */
export function InviteForm() {
  const { client } = useServices()
  const { organization, members } = useOrganization()
  const stepUp = useStepUp(`invite ${organization.id}`, invitation, (kept) => void invite(kept))
  const form = useForm({ email: stepUp.kept?.email ?? '' })
  const [role, setRole] = useState<GivenRole>(stepUp.kept?.role ?? 'member')
  const { roleHints } = useTexts().organizations
  const { invite: own } = usePartTexts(memberTexts)
  const say = useToast()
  const email = form.typed.email.trim()

  async function invite(body: z.output<typeof invitation>): Promise<void> {
    const sent = await form.action.run(async () => {
      await stepUp.run(body, () => client.createInvitation({ path: { organization_id: organization.id }, body }))
      await members.reload()
    })
    if (!sent) return
    say(own.done(body.email))
    form.set({ email: '' })
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void invite({ email, role })
  }

  return (
    <form className="panel invite" aria-labelledby="invite" onSubmit={submit} noValidate>
      <h2 id="invite">{own.title}</h2>
      <div className="invite-fields">
        <TextField
          label={own.email}
          type="email"
          autoComplete="off"
          placeholder={own.example}
          {...form.field('email')}
        />
        <Field label={own.role}>
          {(attributes) => <RoleSelect value={role} onChange={setRole} attributes={attributes} />}
        </Field>
        <Button kind="primary" type="submit" running={form.action.running} disabled={email === ''}>
          {own.button}
        </Button>
      </div>
      <p className="hint">{roleHints[role]}</p>
      {!form.isExplained && <ErrorNotice error={form.action.error} />}
    </form>
  )
}
