import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { isApiError } from '../../../client/src/index.ts'
import { fieldProblems } from '../app/fieldProblems.ts'
import { useServices } from '../app/services.ts'
import type { BillingDetails } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useStepUp } from '../session/useStepUp.ts'
import type { Texts } from '../texts/en.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { Form } from '../ui/Form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { DetailsFields } from './DetailsFields.tsx'
import { changeOf, type DetailsForm, type FieldName, fieldNames, fieldOf, formOf } from './detailsForm.ts'

interface DetailsEditorProps {
  readonly loaded: { readonly details: BillingDetails; readonly etag: string | undefined }
}

/** The user's input, and the version of the details when it began. */
const edit = z.object({ typed: z.partialRecord(z.enum(fieldNames), z.string()), version: z.optional(z.string()) })

/**
 * The form of the billing details. The user's input lies over the stored details. If another person has saved
 * meanwhile, both changes are shown, to be checked and saved again.
 */
export function DetailsEditor({ loaded }: DetailsEditorProps) {
  const { client } = useServices()
  const { organization, details } = useOrganization()
  const stepUp = useStepUp(`details ${organization.id}`, edit, (kept) => void save(kept))
  const [typed, setTyped] = useState<Partial<DetailsForm>>(stepUp.kept?.typed ?? {})
  const [isConflict, setConflict] = useState(false)
  const action = useAction()
  const texts = useTexts()
  const say = useToast()
  const form = useRef<HTMLFormElement>(null)
  const stored = formOf(loaded.details)
  const shown: DetailsForm = { ...stored, ...typed }
  const problems = problemsOf(action.error, texts)
  const isChanged = fieldNames.some((name) => shown[name] !== stored[name])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields are marked once the failure is drawn
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [action.error])

  /** Saves the input over the version that it began with. */
  async function save(edited: z.output<typeof edit>): Promise<void> {
    setConflict(false)
    await action.run(() => stepUp.run(edited, () => send(edited)))
  }

  async function send({ typed, version }: z.output<typeof edit>): Promise<void> {
    const { body, etag } = await client
      .send('updateBillingDetails', {
        query: { organization_id: organization.id },
        headers: version === undefined ? {} : { 'If-Match': version },
        body: changeOf(stored, { ...stored, ...typed }),
      })
      .catch(async (error: unknown) => {
        if (!isApiError(error) || error.status !== 412) throw error
        await details.reload()
        return { body: undefined, etag: undefined }
      })
    if (body === undefined) {
      setConflict(true)
      return
    }
    details.set({ details: body, etag })
    setTyped({})
    say(texts.details.saved)
  }

  return (
    <Form
      ref={form}
      form={{ action, isExplained: Object.keys(problems).length > 0 }}
      texts={{ button: texts.details.save }}
      disabled={!isChanged}
      onSubmit={() => save({ typed, version: loaded.etag })}
      buttons={
        isChanged &&
        !action.running && (
          <Button
            kind="quiet"
            onClick={() => {
              setTyped({})
              action.reset()
            }}
          >
            {texts.details.discard}
          </Button>
        )
      }
    >
      <DetailsFields
        form={shown}
        problems={problems}
        onChange={(name, text) => setTyped((before) => ({ ...before, [name]: text }))}
      />
      {isConflict && (
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
