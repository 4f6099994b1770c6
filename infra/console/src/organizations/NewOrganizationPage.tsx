import { type ReactNode, useState } from 'react'
import { navigate } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import { TextField } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { useForm } from '../forms/useForm.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useToast } from '../ui/Toasts.tsx'

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
  const form = useForm({ name: '' })
  // The same attempt sent again creates the same organization.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const { new: own } = useTexts().organizations
  const say = useToast()
  const { name } = form.typed

  async function create(): Promise<void> {
    await form.action.run(async () => {
      const { id } = await client.createOrganization({ body: { name, idempotency_key: key } })
      say(own.ready(name.trim()))
      navigate({ page: 'products', organizationId: id })
    })
  }

  return (
    <Form form={form} texts={{ button: own.button }} disabled={name.trim() === ''} onSubmit={create} buttons={children}>
      <TextField
        label={own.name}
        hint={own.hint}
        autoComplete="organization"
        maxLength={100}
        {...form.field('name')}
        onChange={(text) => {
          form.set({ name: text })
          setKey(crypto.randomUUID())
        }}
      />
    </Form>
  )
}
