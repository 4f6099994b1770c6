import { useMemo } from 'react'
import { countries } from '../../../../../lib/billing/customer/countries.ts'
import { Field, TextField } from '../../forms/Field.tsx'
import { useLocalization } from '../../texts/useLocalization.ts'
import type { Format } from '../../ui/format.ts'
import type { DetailsForm, FieldName } from './detailsForm.ts'
import { TaxIdSelect } from './TaxIdSelect.tsx'

interface DetailsFieldsProps {
  readonly form: DetailsForm
  readonly problems: Partial<Record<FieldName, string>>
  readonly onChange: (name: FieldName, text: string) => void
}

interface DetailsFieldProps extends DetailsFieldsProps {
  readonly name: FieldName
  readonly label: string
  readonly autoComplete: string
  readonly type?: 'text' | 'email'
  readonly optional?: boolean
  readonly disabled?: boolean
}

/** The fields of the billing details, in the order in which an address is written. */
export function DetailsFields(props: DetailsFieldsProps) {
  const { form, problems, onChange } = props
  const { texts: all, format } = useLocalization()
  const { details: texts, ui } = all
  const countryChoices = useMemo(() => countryOptions(format), [format])
  return (
    <>
      <fieldset>
        <legend>{texts.who}</legend>
        <DetailsField {...props} name="name" label={texts.name} autoComplete="organization" />
        <DetailsField {...props} name="email" label={texts.email} type="email" autoComplete="email" />
      </fieldset>
      <fieldset>
        <legend>{texts.address}</legend>
        <Field label={texts.country} problem={problems.country}>
          {(attributes) => (
            <select
              {...attributes}
              value={form.country}
              autoComplete="country"
              onChange={(event) => onChange('country', event.target.value)}
            >
              <option value="">{texts.chooseCountry}</option>
              {countryChoices.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <DetailsField {...props} name="line1" label={texts.line1} autoComplete="address-line1" />
        <DetailsField {...props} name="line2" label={texts.line2} autoComplete="address-line2" optional />
        <div className="columns">
          <DetailsField {...props} name="postal_code" label={texts.postalCode} autoComplete="postal-code" />
          <DetailsField {...props} name="city" label={texts.city} autoComplete="address-level2" />
        </div>
        <DetailsField {...props} name="state" label={texts.state} autoComplete="address-level1" optional />
      </fieldset>
      <fieldset>
        <legend>
          {texts.taxId} <span className="optional">{ui.optional}</span>
        </legend>
        <div className="columns">
          <Field label={texts.taxIdKind} problem={problems.tax_id_type}>
            {(attributes) => (
              <TaxIdSelect
                attributes={attributes}
                country={form.country}
                value={form.tax_id_type}
                onChange={(type) => {
                  onChange('tax_id_type', type)
                  if (type === '') onChange('tax_id_value', '')
                }}
              />
            )}
          </Field>
          <DetailsField
            {...props}
            name="tax_id_value"
            label={texts.taxIdNumber}
            autoComplete="off"
            disabled={form.tax_id_type === ''}
          />
        </div>
      </fieldset>
    </>
  )
}

function DetailsField({ form, problems, name, onChange, ...field }: DetailsFieldProps) {
  return <TextField {...field} problem={problems[name]} value={form[name]} onChange={(text) => onChange(name, text)} />
}

/** Every country by its name in the reader's language. */
function countryOptions({ region, compare }: Format) {
  return countries.map((code) => ({ code, name: region(code) })).sort((a, b) => compare(a.name, b.name))
}
