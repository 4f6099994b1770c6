import * as z from 'zod/mini'
import { useServices } from '../app/services.ts'
import { TextField } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { useForm } from '../forms/useForm.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { domainTexts, usePartTexts } from '../texts/partTexts.ts'
import { useToast } from '../ui/Toasts.tsx'

const EXAMPLE = 'example.com'

/** The form that adds a domain. Its record is then in the list. */
export function AddDomain() {
  const { client } = useServices()
  const { organization, domains } = useOrganization()
  const stepUp = useStepUp(`add domain ${organization.id}`, z.string(), (kept) => void add(kept))
  const { add: texts } = usePartTexts(domainTexts)
  const form = useForm({ domain: stepUp.kept ?? '' }, { domain: texts.problem })
  const say = useToast()
  const typed = form.typed.domain.trim()

  async function add(domain: string): Promise<void> {
    const path = { organization_id: organization.id }
    const done = await form.action.run(async () => {
      await stepUp.run(domain, () => client.createDomain({ path, body: { domain } }))
      await domains.reload()
    })
    if (!done) return
    form.set({ domain: '' })
    say(texts.done)
  }

  return (
    <Form form={form} texts={texts} disabled={typed === ''} onSubmit={() => add(typed)}>
      <TextField
        label={texts.domain}
        hint={texts.hint}
        autoComplete="off"
        spellCheck={false}
        maxLength={253}
        placeholder={EXAMPLE}
        {...form.field('domain')}
      />
    </Form>
  )
}
