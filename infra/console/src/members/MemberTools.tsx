import { SelectField } from '../lists/SelectField.tsx'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { TextField } from '../ui/Field.tsx'
import type { MemberFilter } from './memberList.ts'

interface MemberToolsProps {
  readonly filter: MemberFilter
  readonly onChange: (filter: MemberFilter) => void
  /** An owner, who sees addresses and second factors. */
  readonly isOwner: boolean
}

/** Searches, filters and sorts the members. */
export function MemberTools({ filter, onChange, isOwner }: MemberToolsProps) {
  const { roles } = useTexts().organizations
  const { find: texts } = usePartTexts(memberTexts)
  const { search, role, factor, sort } = filter
  return (
    <search className="list-tools">
      <TextField
        label={isOwner ? texts.searchAll : texts.searchNames}
        type="search"
        value={search}
        autoComplete="off"
        onChange={(text) => onChange({ ...filter, search: text })}
      />
      <SelectField
        label={texts.role}
        value={role}
        options={[
          ['any', texts.anyRole],
          ['owner', roles.owner],
          ['billing_admin', roles.billing_admin],
          ['member', roles.member],
        ]}
        onChange={(chosen) => onChange({ ...filter, role: chosen })}
      />
      {isOwner && (
        <SelectField
          label={texts.factor}
          value={factor}
          options={[
            ['any', texts.anyFactor],
            ['with', texts.withFactor],
            ['without', texts.withoutFactor],
          ]}
          onChange={(chosen) => onChange({ ...filter, factor: chosen })}
        />
      )}
      <SelectField
        label={texts.sort}
        value={sort}
        options={[
          ['name', texts.byName],
          ['role', texts.byRole],
        ]}
        onChange={(chosen) => onChange({ ...filter, sort: chosen })}
      />
    </search>
  )
}
