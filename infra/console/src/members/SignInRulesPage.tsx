import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { isApiError } from '../../../client/src/index.ts'
import { fieldProblems } from '../app/fieldProblems.ts'
import { Link } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { SignInRules } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useStepUp } from '../session/useStepUp.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Field, TextField } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { createResource, type Resource } from '../ui/resource.ts'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import {
  applicationChoices,
  changeOfRules,
  formOfRules,
  type RuleField,
  type RulesForm,
  ruleFieldOf,
  ruleFields,
} from './signInRulesForm.ts'

interface LoadedRules {
  readonly rules: SignInRules
  readonly etag: string | undefined
}

/** How the members of the organization must be signed in: for owners. */
export function SignInRulesPage() {
  const { client } = useServices()
  const { organization } = useOrganization()
  const { rules: texts } = usePartTexts(memberTexts)
  const queries = useQueryClient()
  const { id } = organization
  const resource = useMemo(
    () =>
      createResource<LoadedRules>(queries, {
        key: ['organization', id, 'sign-in-rules'],
        load: async (signal) => {
          const { body, etag } = await client.send('getSignInRules', { path: { organization_id: id }, signal })
          return { rules: body, etag }
        },
      }),
    [queries, client, id],
  )
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead(organization.name)} />
      <div className="stack narrow">
        <Loaded resource={resource} what="page">
          {(loaded) => <RulesEditor loaded={loaded} resource={resource} />}
        </Loaded>
      </div>
    </>
  )
}

/** The user's input, and the version of the rules when it began. */
const edit = z.object({ typed: z.partialRecord(z.enum(ruleFields), z.string()), version: z.optional(z.string()) })

interface RulesEditorProps {
  readonly loaded: LoadedRules
  readonly resource: Resource<LoadedRules>
}

function RulesEditor({ loaded, resource }: RulesEditorProps) {
  const { client } = useServices()
  const { organization, reloadOrganization } = useOrganization()
  const stepUp = useStepUp(`sign-in rules ${organization.id}`, edit, (kept) => void save(kept))
  const [typed, setTyped] = useState<Partial<RulesForm>>(stepUp.kept?.typed ?? {})
  const [isConflict, setConflict] = useState(false)
  const action = useAction()
  const all = useTexts()
  const { rules: texts } = usePartTexts(memberTexts)
  const say = useToast()
  const stored = formOfRules(loaded.rules)
  const shown: RulesForm = { ...stored, ...typed }
  const isChanged = ruleFields.some((name) => shown[name] !== stored[name])
  const found = Object.entries(fieldProblems(action.error, all, texts.problems))
  const problems = Object.fromEntries(found.map(([location, text]) => [ruleFieldOf(location), text]))
  const set = (name: RuleField) => (text: string) => setTyped((before) => ({ ...before, [name]: text }))
  const field = (name: RuleField) => ({ value: shown[name], problem: problems[name], onChange: set(name) })

  /** Saves the input over the version that it began with. */
  async function save(edited: z.output<typeof edit>): Promise<void> {
    setConflict(false)
    await action.run(() => stepUp.run(edited, () => send(edited)))
  }

  async function send({ typed, version }: z.output<typeof edit>): Promise<void> {
    try {
      const { body, etag } = await client.send('updateSignInRules', {
        path: { organization_id: organization.id },
        headers: version === undefined ? {} : { 'If-Match': version },
        body: changeOfRules(stored, { ...stored, ...typed }),
      })
      resource.set({ rules: body, etag })
    } catch (error) {
      if (!isApiError(error) || error.status !== 412) throw error
      await resource.reload()
      setConflict(true)
      return
    }
    setTyped({})
    say(texts.saved)
    await reloadOrganization()
  }

  return (
    <Form
      form={{ action, isExplained: found.length > 0 }}
      texts={{ button: texts.save }}
      disabled={!isChanged}
      onSubmit={() => save({ typed, version: loaded.etag })}
    >
      <TextField label={texts.from} hint={texts.fromHint} type="date" {...field('from')} />
      <p className="hint">
        <Link to={{ page: 'members', organizationId: organization.id }}>{texts.whoHas}</Link>
      </p>
      <TextField label={texts.days} hint={texts.daysHint} type="number" min={1} max={90} {...field('days')} />
      <TextField label={texts.hours} hint={texts.hoursHint} type="number" min={1} max={720} {...field('hours')} />
      <Field label={texts.applications} hint={texts.applicationsHint}>
        {(attributes) => (
          <select
            {...attributes}
            value={shown.applications}
            onChange={(event) => set('applications')(event.target.value)}
          >
            {applicationChoices.map((choice) => (
              <option key={choice} value={choice}>
                {texts[choice]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {shown.applications === 'named' && (
        <TextField label={texts.clients} hint={texts.clientsHint} spellCheck={false} {...field('clients')} />
      )}
      <p className="muted">{texts.youToo}</p>
      {isConflict && (
        <p className="notice warn" role="alert">
          <Icon name="alert" />
          <span>{texts.conflict}</span>
        </p>
      )}
    </Form>
  )
}
