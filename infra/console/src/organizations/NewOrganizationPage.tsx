import { type FormEvent, type ReactNode, useState } from 'react'
import { fieldProblems } from '../app/fieldProblems.ts'
import { navigate } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { FormActions } from '../ui/FormActions.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'

/** Creates another organization, whose owner the user is. */
export function NewOrganizationPage() {
  const { title, lead, back } = useTexts().organizations.new
  return (
    <>
      <PageHeader title={title} lead={lead} />
      <OrganizationForm>
        <Button kind="quiet" onClick={() => navigate({ page: 'organizations' })}>
          {back}
        </Button>
      </OrganizationForm>
    </>
  )
}

/** Asks for the name. @param children further buttons */
export function OrganizationForm({ children }: { readonly children?: ReactNode }) {
  const { client } = useServices()
  const [name, setName] = useState('')
  // The same attempt sent again creates the same organization.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const action = useAction()
  const texts = useTexts()
  const { new: own } = texts.organizations
  const say = useToast()
  const problem = fieldProblems(action.error, texts, texts.problems.fields).name

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault()
    await action.run(async () => {
      const { id } = await client.createOrganization({ body: { name, idempotency_key: key } })
      say(own.ready(name.trim()))
      navigate({ page: 'products', organizationId: id })
    })
  }

  return (
    <form className="panel form" onSubmit={(event) => void create(event)} noValidate>
      <TextField
        label={own.name}
        hint={own.hint}
        problem={problem}
        value={name}
        autoComplete="organization"
        maxLength={100}
        onChange={(text) => {
          setName(text)
          setKey(crypto.randomUUID())
        }}
      />
      <FormActions
        action={action}
        submit={own.button}
        disabled={name.trim() === ''}
        isExplained={problem !== undefined}
      >
        {children}
      </FormActions>
    </form>
  )
}
