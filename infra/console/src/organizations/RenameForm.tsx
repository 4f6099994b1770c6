import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../app/fieldProblems.ts'
import { useServices } from '../app/services.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { TextField } from '../ui/Field.tsx'
import { FormActions } from '../ui/FormActions.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { useOrganization } from './organizationData.ts'

/** Changes the organization's name. */
export function RenameForm() {
  const { client } = useServices()
  const { organization, reloadOrganization } = useOrganization()
  const [name, setName] = useState(organization.name)
  const action = useAction()
  const texts = useTexts()
  const { rename: own } = texts.organizations
  const say = useToast()
  const problem = fieldProblems(action.error, texts, texts.problems.fields).name

  async function rename(event: FormEvent): Promise<void> {
    event.preventDefault()
    const done = await action.run(async () => {
      await client.updateOrganization({ path: { organization_id: organization.id }, body: { name } })
      await reloadOrganization()
    })
    if (done) say(own.done)
  }

  return (
    <form className="panel form" aria-labelledby="rename" onSubmit={(event) => void rename(event)} noValidate>
      <h2 id="rename">{own.title}</h2>
      <TextField label={own.label} problem={problem} value={name} maxLength={100} onChange={setName} />
      <FormActions
        action={action}
        submit={own.button}
        disabled={name.trim() === '' || name.trim() === organization.name}
        isExplained={problem !== undefined}
      />
    </form>
  )
}
