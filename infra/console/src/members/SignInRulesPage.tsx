import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fieldProblems } from '../app/fieldProblems.ts'
import { Link } from '../app/navigation.tsx'
import { useServices } from '../app/services.ts'
import type { SignInRules } from '../app/types.ts'
import { TextField } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { SelectField } from '../forms/SelectField.tsx'
import { Loaded } from '../loading/Loaded.tsx'
import { createResource, type Resource } from '../loading/resource.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useEdit } from '../session/useEdit.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Icon } from '../ui/Icon.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { useToast } from '../ui/Toasts.tsx'
import {
  applicationChoices,
  changeOfRules,
  formOfRules,
  type RuleField,
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

interface RulesEditorProps {
  readonly loaded: LoadedRules
  readonly resource: Resource<LoadedRules>
}

function RulesEditor({ loaded, resource }: RulesEditorProps) {
  const { client } = useServices()
  const { organization, reloadOrganization } = useOrganization()
  const all = useTexts()
  const { rules: texts } = usePartTexts(memberTexts)
  const say = useToast()
  const stored = formOfRules(loaded.rules)
  const edited = useEdit(`sign-in rules ${organization.id}`, ruleFields, {
    stored,
    version: loaded.etag,
    async send(form, headers) {
      const path = { organization_id: organization.id }
      const { body, etag } = await client.send('updateSignInRules', {
        path,
        headers,
        body: changeOfRules(stored, form),
      })
      resource.set({ rules: body, etag })
    },
    async onSaved() {
      say(texts.saved)
      await reloadOrganization()
    },
    reload: resource.reload,
  })
  const { shown, action } = edited
  const found = Object.entries(fieldProblems(action.error, all, texts.problems))
  const problems = Object.fromEntries(found.map(([location, text]) => [ruleFieldOf(location), text]))
  const field = (name: RuleField) => ({
    value: shown[name],
    problem: problems[name],
    onChange: (text: string) => edited.set(name, text),
  })

  return (
    <Form
      form={{ action, isExplained: found.length > 0 }}
      texts={{ button: texts.save }}
      disabled={!edited.isChanged}
      onSubmit={edited.save}
    >
      <TextField label={texts.from} hint={texts.fromHint} type="date" {...field('from')} />
      <p className="hint">
        <Link to={{ page: 'members', organizationId: organization.id }}>{texts.whoHas}</Link>
      </p>
      <TextField label={texts.days} hint={texts.daysHint} type="number" min={1} max={90} {...field('days')} />
      <TextField label={texts.hours} hint={texts.hoursHint} type="number" min={1} max={720} {...field('hours')} />
      <SelectField
        label={texts.applications}
        hint={texts.applicationsHint}
        value={shown.applications}
        options={applicationChoices.map((choice) => [choice, texts[choice]] as const)}
        onChange={(choice) => edited.set('applications', choice)}
      />
      {shown.applications === 'named' && (
        <TextField label={texts.clients} hint={texts.clientsHint} spellCheck={false} {...field('clients')} />
      )}
      <p className="muted">{texts.youToo}</p>
      {edited.isConflict && (
        <p className="notice warn" role="alert">
          <Icon name="alert" />
          <span>{texts.conflict}</span>
        </p>
      )}
    </Form>
  )
}
