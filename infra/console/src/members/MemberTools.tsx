import { TextField } from '../forms/Field.tsx'
import { optionsOf, SelectField } from '../forms/SelectField.tsx'
import { choicesIn } from '../lists/choicesIn.ts'
import { memberTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
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
  const choice = choicesIn(filter, onChange)
  return (
    <search className="list-tools">
      <TextField
        label={isOwner ? texts.searchAll : texts.searchNames}
        type="search"
        autoComplete="off"
        {...choice('search')}
      />
      <SelectField label={texts.role} options={optionsOf({ any: texts.anyRole, ...roles })} {...choice('role')} />
      {isOwner && <SelectField label={texts.factor} options={optionsOf(texts.factors)} {...choice('factor')} />}
      <SelectField label={texts.sort} options={optionsOf(texts.sorts)} {...choice('sort')} />
    </search>
  )
}
