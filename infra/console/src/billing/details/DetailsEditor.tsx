import { useEffect, useRef } from 'react'
import { fieldProblems } from '../../app/fieldProblems.ts'
import { useServices } from '../../app/services.ts'
import type { BillingDetails } from '../../app/types.ts'
import { Form } from '../../forms/Form.tsx'
import { useOrganization } from '../../organizations/organizationData.ts'
import { useEdit } from '../../session/useEdit.ts'
import type { Texts } from '../../texts/en.ts'
import { useTexts } from '../../texts/useLocalization.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { useToast } from '../../ui/Toasts.tsx'
import { DetailsFields } from './DetailsFields.tsx'
import { changeOf, type FieldName, fieldNames, fieldOf, formOf } from './detailsForm.ts'

interface DetailsEditorProps {
  readonly loaded: { readonly details: BillingDetails; readonly etag: string | undefined }
}

/** The form of the billing details. */
export function DetailsEditor({ loaded }: DetailsEditorProps) {
  const { client } = useServices()
  const { organization, details } = useOrganization()
  const texts = useTexts()
  const say = useToast()
  const form = useRef<HTMLFormElement>(null)
  const stored = formOf(loaded.details)
  const edited = useEdit(`details ${organization.id}`, fieldNames, {
    stored,
    version: loaded.etag,
    async send(form, headers) {
      const query = { organization_id: organization.id }
      const { body, etag } = await client.send('updateBillingDetails', { query, headers, body: changeOf(stored, form) })
      details.set({ details: body, etag })
    },
    onSaved: () => say(texts.details.saved),
    reload: details.reload,
  })
  const { action } = edited
  const problems = problemsOf(action.error, texts)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are marked once the failure is drawn
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [action.error])

  return (
    <Form
      ref={form}
      form={{ action, isExplained: Object.keys(problems).length > 0 }}
      texts={{ button: texts.details.save }}
      disabled={!edited.isChanged}
      onSubmit={edited.save}
      buttons={
        edited.isChanged &&
        !action.running && (
          <Button kind="quiet" onClick={edited.discard}>
            {texts.details.discard}
          </Button>
        )
      }
    >
      <DetailsFields form={edited.shown} problems={problems} onChange={edited.set} />
      {edited.isConflict && (
        <p className="notice warn" role="alert">
          <Icon name="alert" />
          <span>{texts.details.conflict}</span>
        </p>
      )}
    </Form>
  )
}

function problemsOf(error: unknown, texts: Texts): Partial<Record<FieldName, string>> {
  const { name, email, country, taxId } = texts.problems.fields
  const words = { name, email, 'address.country': country, 'tax_id.value': taxId }
  const found = Object.entries(fieldProblems(error, texts, words)).flatMap(([location, text]) => {
    const field = fieldOf(location)
    return field === undefined ? [] : [[field, text] as const]
  })
  return Object.fromEntries(found)
}
