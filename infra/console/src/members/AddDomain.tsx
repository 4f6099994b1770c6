import { type FormEvent, useId, useState } from 'react'
import * as z from 'zod/mini'
import { fieldProblems } from '../app/fieldProblems.ts'
import { useServices } from '../app/services.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { domainTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { TextField } from '../ui/Field.tsx'
import { FormActions } from '../ui/FormActions.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'

const EXAMPLE = 'example.com'

/** The form that adds a domain. Its record is then in the list. */
export function AddDomain() {
  const { client } = useServices()
  const { organization, domains } = useOrganization()
  const stepUp = useStepUp(`add domain ${organization.id}`, z.string(), (kept) => void add(kept))
  const [typed, setTyped] = useState(stepUp.kept ?? '')
  const action = useAction()
  const all = useTexts()
  const { add: texts } = usePartTexts(domainTexts)
  const say = useToast()
  const id = useId()
  const problem = fieldProblems(action.error, all, { domain: texts.problem }).domain

  async function add(domain: string): Promise<void> {
    const path = { organization_id: organization.id }
    const done = await action.run(async () => {
      await stepUp.run(domain, () => client.createDomain({ path, body: { domain } }))
      await domains.reload()
    })
    if (!done) return
    setTyped('')
    say(texts.done)
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    void add(typed.trim())
  }

  return (
    <form className="panel form" aria-labelledby={id} onSubmit={submit} noValidate>
      <h2 id={id}>{texts.title}</h2>
      <TextField
        label={texts.domain}
        hint={texts.hint}
        problem={problem}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        maxLength={253}
        placeholder={EXAMPLE}
        onChange={setTyped}
      />
      <FormActions
        action={action}
        submit={texts.button}
        disabled={typed.trim() === ''}
        isExplained={problem !== undefined}
      />
    </form>
  )
}
