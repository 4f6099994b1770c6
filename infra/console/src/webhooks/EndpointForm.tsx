import { type ComponentProps, useState } from 'react'
import type { HeardType } from '../app/types.ts'
import { CheckOption } from '../forms/CheckOption.tsx'
import { TextField } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { useForm } from '../forms/useForm.ts'
import { usePartTexts, webhookTexts } from '../texts/partTexts.ts'
import type { Action } from '../ui/useAction.ts'
import { type EndpointDraft, offeredTypes } from './endpointDraft.ts'

const EXAMPLE = 'https://api.example.com/events'

interface EndpointFormProps extends Pick<ComponentProps<typeof Form>, 'texts' | 'level' | 'onClose'> {
  readonly initial: EndpointDraft
  readonly action: Action
  readonly onSubmit: (draft: EndpointDraft) => Promise<void>
}

/** The address, the purpose and the event types of an endpoint. */
export function EndpointForm({ initial, action, onSubmit, ...frame }: EndpointFormProps) {
  const [chosen, setChosen] = useState(initial.event_types)
  const own = usePartTexts(webhookTexts).form
  const form = useForm({ url: initial.url, description: initial.description }, { url: own.urlProblem }, action)
  const url = form.typed.url.trim()
  const description = form.typed.description.trim()
  return (
    <Form
      {...frame}
      form={form}
      disabled={url === '' || chosen?.length === 0}
      onSubmit={() => onSubmit({ url, description, event_types: chosen })}
    >
      <TextField
        label={own.url}
        hint={own.urlHint}
        type="url"
        autoComplete="off"
        maxLength={2048}
        placeholder={EXAMPLE}
        {...form.field('url')}
      />
      <TextField
        label={own.description}
        autoComplete="off"
        maxLength={200}
        placeholder={own.example}
        optional
        {...form.field('description')}
      />
      <TypeOptions offered={offeredTypes(initial.event_types)} chosen={chosen} onChange={setChosen} />
    </Form>
  )
}

interface TypeOptionsProps {
  readonly offered: readonly HeardType[]
  readonly chosen: EndpointDraft['event_types']
  readonly onChange: (chosen: EndpointDraft['event_types']) => void
}

/** Every type of events, or at least one. */
function TypeOptions({ offered, chosen, onChange }: TypeOptionsProps) {
  const { form, types } = usePartTexts(webhookTexts)
  const titles: Readonly<Record<string, string>> = types
  return (
    <fieldset className="options">
      <legend>{form.hears}</legend>
      <CheckOption
        title={form.everything}
        detail={form.everythingHint}
        checked={chosen === null}
        onChange={(checked) => onChange(checked ? null : [])}
      />
      {chosen !== null &&
        offered.map((type) => (
          <CheckOption
            key={type}
            title={titles[type] ?? type}
            detail={type}
            checked={chosen.includes(type)}
            onChange={(checked) => onChange(offered.filter((one) => (one === type ? checked : chosen.includes(one))))}
          />
        ))}
    </fieldset>
  )
}
