import type { Members } from '../app/types.ts'
import { optionsOf, SelectField } from '../forms/SelectField.tsx'
import { choicesIn } from '../lists/choicesIn.ts'
import { SaveCsvButton } from '../lists/SaveCsvButton.tsx'
import { useResource } from '../loading/resource.ts'
import { activityListTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { type ActivityFilter, periods } from './activityList.ts'
import { useOrganization } from './organizationData.ts'

interface ActivityToolsProps {
  readonly filter: ActivityFilter
  readonly onChange: (filter: ActivityFilter) => void
  /** Reads the table of what the filter leaves. */
  readonly readRows: () => Promise<readonly (readonly string[])[]>
}

/** Chooses changes by kind, by who made them and by period, and saves them. */
export function ActivityTools({ filter, onChange, readRows }: ActivityToolsProps) {
  const { members, apiClients } = useOrganization()
  const people = useResource(members).value?.members ?? []
  const programs = useResource(apiClients).value ?? []
  const { actors, apiClient } = useTexts().activity
  const texts = usePartTexts(activityListTexts)
  const choice = choicesIn(filter, onChange)
  return (
    <search className="list-tools">
      <SelectField label={texts.kind} options={optionsOf(texts.kinds)} {...choice('kind')} />
      <SelectField
        label={texts.person}
        options={[
          ['any', texts.anyone],
          ...namesOf(people),
          ...programs.map(({ client_id, name }) => [client_id, apiClient(name)] as const),
          ['gateway', actors.gateway],
          ['operator', actors.operator],
          ['system', actors.system],
        ]}
        {...choice('actor')}
      />
      <SelectField
        label={texts.period}
        options={periods.map((days) => [days, texts.periods[days]] as const)}
        {...choice('days')}
      />
      <SaveCsvButton label={texts.save} name={texts.file} read={readRows} />
    </search>
  )
}

/** Members whose account is deleted have no name to choose. */
function namesOf(members: Members['members']): (readonly [string, string])[] {
  return members.flatMap(({ user_id, username }) => (username === null ? [] : [[user_id, username] as const]))
}
