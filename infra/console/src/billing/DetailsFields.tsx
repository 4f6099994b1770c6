import { countries } from '../../../../lib/billing/countries.ts'
import { taxIdTypes } from '../../../../lib/billing/taxIdTypes.ts'
import { Field } from '../ui/Field.tsx'
import type { DetailsForm, FieldName } from './detailsForm.ts'

interface DetailsFieldsProps {
  readonly form: DetailsForm
  readonly problems: Partial<Record<FieldName, string>>
  readonly onChange: (name: FieldName, text: string) => void
}

interface TextFieldProps extends DetailsFieldsProps {
  readonly name: FieldName
  readonly label: string
  readonly autoComplete: string
  readonly type?: 'text' | 'email'
  readonly optional?: boolean
  readonly disabled?: boolean
}

const regions = new Intl.DisplayNames(undefined, { type: 'region' })
const countryOptions = countries
  .map((code) => ({ code, name: regions.of(code) ?? code }))
  .sort((a, b) => a.name.localeCompare(b.name))
const taxIdOptions = taxIdTypes
  .map((type) => ({ type, name: taxIdName(type) }))
  .sort((a, b) => a.name.localeCompare(b.name))

/** The fields of the billing details, in the order in which an address is written. */
export function DetailsFields(props: DetailsFieldsProps) {
  const { form, problems, onChange } = props
  return (
    <>
      <fieldset>
        <legend>Who is billed</legend>
        <TextField {...props} name="name" label="Name" autoComplete="organization" />
        <TextField {...props} name="email" label="Email address" type="email" autoComplete="email" />
      </fieldset>
      <fieldset>
        <legend>Address</legend>
        <Field label="Country" problem={problems.country}>
          {(attributes) => (
            <select
              {...attributes}
              value={form.country}
              autoComplete="country"
              onChange={(event) => onChange('country', event.target.value)}
            >
              <option value="">Choose a country</option>
              {countryOptions.map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <TextField {...props} name="line1" label="Street and number" autoComplete="address-line1" />
        <TextField {...props} name="line2" label="Floor, suite" autoComplete="address-line2" optional />
        <div className="columns">
          <TextField {...props} name="postal_code" label="Postal code" autoComplete="postal-code" />
          <TextField {...props} name="city" label="City" autoComplete="address-level2" />
        </div>
        <TextField {...props} name="state" label="State or province" autoComplete="address-level1" optional />
      </fieldset>
      <fieldset>
        <legend>
          Tax id <span className="optional">Optional</span>
        </legend>
        <div className="columns">
          <Field label="Kind" problem={problems.tax_id_type}>
            {(attributes) => (
              <select
                {...attributes}
                value={form.tax_id_type}
                onChange={(event) => {
                  onChange('tax_id_type', event.target.value)
                  if (event.target.value === '') onChange('tax_id_value', '')
                }}
              >
                <option value="">None</option>
                {taxIdOptions.map(({ type, name }) => (
                  <option key={type} value={type}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TextField
            {...props}
            name="tax_id_value"
            label="Number"
            autoComplete="off"
            disabled={form.tax_id_type === ''}
          />
        </div>
      </fieldset>
    </>
  )
}

function TextField({
  name,
  label,
  autoComplete,
  type = 'text',
  optional = false,
  disabled = false,
  form,
  problems,
  onChange,
}: TextFieldProps) {
  return (
    <Field label={label} problem={problems[name]} optional={optional}>
      {(attributes) => (
        <input
          {...attributes}
          type={type}
          disabled={disabled}
          value={form[name]}
          autoComplete={autoComplete}
          onChange={(event) => onChange(name, event.target.value)}
        />
      )}
    </Field>
  )
}

/** `eu_vat` is `European Union: VAT`. */
function taxIdName(type: string): string {
  const [region = '', ...kind] = type.split('_')
  const code = region.toUpperCase()
  const place = /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code
  return `${place}: ${kind.join(' ').toUpperCase()}`
}
