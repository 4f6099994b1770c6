import { type FormEvent, type ReactNode, useState } from 'react'
import { fieldProblems } from '../app/fieldProblems.ts'
import type { HeardType } from '../app/types.ts'
import { usePartTexts, webhookTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { CheckOption } from '../ui/CheckOption.tsx'
import { TextField } from '../ui/Field.tsx'
import { FormActions } from '../ui/FormActions.tsx'
import type { Action } from '../ui/useAction.ts'
import { type EndpointDraft, offeredTypes } from './endpointDraft.ts'

const EXAMPLE = 'https://api.example.com/events'

interface EndpointFormProps {
  readonly initial: EndpointDraft
  readonly action: Action
  readonly submit: string
  readonly onSubmit: (draft: EndpointDraft) => void
  /** Given if the form can be closed. */
  readonly onClose?: () => void
  readonly children: ReactNode
  /** The id of its heading, which is in `children`. */
  readonly labelledBy: string
}

/** The address, the purpose and the event types of an endpoint. */
export function EndpointForm(props: EndpointFormProps) {
  const { initial, action, submit, onSubmit, onClose, children, labelledBy } = props
  const [url, setUrl] = useState(initial.url)
  const [description, setDescription] = useState(initial.description)
  const [chosen, setChosen] = useState(initial.event_types)
  const texts = useTexts()
  const own = usePartTexts(webhookTexts).form
  const problem = fieldProblems(action.error, texts, { url: own.urlProblem }).url

  function send(event: FormEvent): void {
    event.preventDefault()
    onSubmit({ url: url.trim(), description: description.trim(), event_types: chosen })
  }

  return (
    <form className="panel form" aria-labelledby={labelledBy} onSubmit={send} noValidate>
      {children}
      <TextField
        label={own.url}
        hint={own.urlHint}
        problem={problem}
        value={url}
        type="url"
        autoComplete="off"
        maxLength={2048}
        placeholder={EXAMPLE}
        onChange={setUrl}
      />
      <TextField
        label={own.description}
        value={description}
        autoComplete="off"
        maxLength={200}
        placeholder={own.example}
        optional
        onChange={setDescription}
      />
      <TypeOptions offered={offeredTypes(initial.event_types)} chosen={chosen} onChange={setChosen} />
      <FormActions
        action={action}
        submit={submit}
        disabled={url.trim() === '' || chosen?.length === 0}
        isExplained={problem !== undefined}
        {...(onClose && { onClose })}
      />
    </form>
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
