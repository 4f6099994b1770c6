import type { Members } from '../app/types.ts'
import { SaveCsvButton } from '../lists/SaveCsvButton.tsx'
import { SelectField } from '../lists/SelectField.tsx'
import { activityListTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { useResource } from '../ui/resource.ts'
import type { ActivityFilter } from './activityList.ts'
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
  const { kind, actor, days } = filter
  return (
    <search className="list-tools">
      <SelectField
        label={texts.kind}
        value={kind}
        options={[
          ['any', texts.kinds.any],
          ['products', texts.kinds.products],
          ['money', texts.kinds.money],
          ['people', texts.kinds.people],
          ['programs', texts.kinds.programs],
          ['organization', texts.kinds.organization],
        ]}
        onChange={(chosen) => onChange({ ...filter, kind: chosen })}
      />
      <SelectField
        label={texts.person}
        value={actor}
        options={[
          ['any', texts.anyone],
          ...namesOf(people),
          ...programs.map(({ client_id, name }) => [client_id, apiClient(name)] as const),
          ['gateway', actors.gateway],
          ['operator', actors.operator],
          ['system', actors.system],
        ]}
        onChange={(chosen) => onChange({ ...filter, actor: chosen })}
      />
      <SelectField
        label={texts.period}
        value={days}
        options={[
          ['any', texts.periods.any],
          ['7', texts.periods[7]],
          ['30', texts.periods[30]],
          ['90', texts.periods[90]],
        ]}
        onChange={(chosen) => onChange({ ...filter, days: chosen })}
      />
      <SaveCsvButton label={texts.save} name={texts.file} read={readRows} />
    </search>
  )
}

/** Members whose account is deleted have no name to choose. */
function namesOf(members: Members['members']): (readonly [string, string])[] {
  return members.flatMap(({ user_id, username }) => (username === null ? [] : [[user_id, username] as const]))
}
