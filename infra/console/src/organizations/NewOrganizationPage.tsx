import { type FormEvent, useState } from 'react'
import { fieldProblems } from '../app/fieldProblems.ts'
import { navigate } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Field } from '../ui/Field.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'

/** Creates an organization, whose owner the user is. */
export function NewOrganizationPage() {
  const { client } = useServices()
  const [name, setName] = useState('')
  // The same attempt sent again creates the same organization.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const action = useAction()
  const texts = useTexts()
  const say = useToast()
  const problem = fieldProblems(action.error, texts, texts.problems.fields).name

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault()
    await action.run(async () => {
      const { id } = await client.createOrganization({ body: { name, idempotency_key: key } })
      say(`${name.trim()} is ready`)
      navigate({ page: 'products', organizationId: id })
    })
  }

  return (
    <>
      <PageHeader title="New organization" lead="Members, products and invoices belong to it. You will be its owner." />
      <form className="panel form" onSubmit={(event) => void create(event)} noValidate>
        <Field
          label="Name"
          hint="Your company or team. It is printed on invoices; you can change it later."
          problem={problem}
        >
          {(attributes) => (
            <input
              {...attributes}
              value={name}
              autoComplete="organization"
              maxLength={100}
              onChange={(event) => {
                setName(event.target.value)
                setKey(crypto.randomUUID())
              }}
            />
          )}
        </Field>
        {problem === undefined && <ErrorNotice error={action.error} />}
        <div className="form-actions">
          <Button kind="primary" type="submit" running={action.running} disabled={name.trim() === ''}>
            Create organization
          </Button>
          <Button kind="quiet" onClick={() => navigate({ page: 'organizations' })}>
            Back
          </Button>
        </div>
      </form>
    </>
  )
}
