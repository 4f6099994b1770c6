import { useMemo, useState } from 'react'
import { taxIdTypes } from '../../../../../lib/billing/gateway/taxIdTypes.ts'
import type { ControlAttributes } from '../../forms/Field.tsx'
import { useLocalization } from '../../texts/useLocalization.ts'
import type { Format } from '../../ui/format.ts'
import { taxIdTypesIn } from './taxIdKinds.ts'

interface TaxIdSelectProps {
  readonly attributes: ControlAttributes
  /** Of the address, ISO 3166-1; empty if none is chosen. */
  readonly country: string
  /** The type that is chosen; empty for none. */
  readonly value: string
  readonly onChange: (type: string) => void
}

/** The value of the choice that shows the types of every country. */
const EVERY_COUNTRY = 'every-country'

/** The kinds of tax id of the country of the address; those of all others after one more choice. */
export function TaxIdSelect({ attributes, country, value, onChange }: TaxIdSelectProps) {
  const { texts, format } = useLocalization()
  const [showsAll, setShowsAll] = useState(false)
  const own = taxIdTypesIn(country)
  const shown = showsAll ? taxIdTypes : own.includes(value) || value === '' ? own : [...own, value]
  const options = useMemo(() => optionsOf(shown, format), [shown, format])
  return (
    <select
      {...attributes}
      value={value}
      onChange={({ target }) => (target.value === EVERY_COUNTRY ? setShowsAll(true) : onChange(target.value))}
    >
      <option value="">{texts.details.taxIdNone}</option>
      {options.map(({ type, name }) => (
        <option key={type} value={type}>
          {name}
        </option>
      ))}
      {shown.length < taxIdTypes.length && <option value={EVERY_COUNTRY}>{texts.details.taxIdElsewhere}</option>}
    </select>
  )
}

function optionsOf(types: readonly string[], format: Format) {
  return types.map((type) => ({ type, name: taxIdName(type, format) })).sort((a, b) => format.compare(a.name, b.name))
}

/** `eu_vat` is `European Union: VAT`. */
function taxIdName(type: string, { region }: Format): string {
  const [place = '', ...kind] = type.split('_')
  return `${region(place.toUpperCase())}: ${kind.join(' ').toUpperCase()}`
}
