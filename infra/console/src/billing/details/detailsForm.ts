import { taxIdTypes } from '../../../../../lib/billing/gateway/taxIdTypes.ts'
import type { OptionsOf } from '../../../../client/src/index.ts'
import type { BillingDetails } from '../../app/types.ts'

type DetailsChange = OptionsOf<'updateBillingDetails'>['body']

/** The texts of the form, by the name of the field: an empty text is a field that is not filled in. */
export const fieldNames = [
  'name',
  'email',
  'line1',
  'line2',
  'city',
  'state',
  'postal_code',
  'country',
  'tax_id_type',
  'tax_id_value',
] as const

export type FieldName = (typeof fieldNames)[number]
export type DetailsForm = Readonly<Record<FieldName, string>>

const addressFields = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const

/** The details as texts of the form. */
export function formOf({ name, email, address, tax_id }: BillingDetails): DetailsForm {
  return {
    name: name ?? '',
    email: email ?? '',
    line1: address?.line1 ?? '',
    line2: address?.line2 ?? '',
    city: address?.city ?? '',
    state: address?.state ?? '',
    postal_code: address?.postal_code ?? '',
    country: address?.country ?? '',
    tax_id_type: tax_id?.type ?? '',
    tax_id_value: tax_id?.value ?? '',
  }
}

/** The change to request: only fields that differ, so that other people's changes to other fields stay. */
export function changeOf(before: DetailsForm, after: DetailsForm): DetailsChange {
  const differs = (names: readonly FieldName[]) => names.some((name) => before[name] !== after[name])
  return {
    ...(differs(['name']) && { name: after.name }),
    ...(differs(['email']) && { email: after.email }),
    ...(differs(addressFields) && { address: addressOf(after) }),
    ...(differs(['tax_id_type', 'tax_id_value']) && { tax_id: taxIdOf(after) }),
  }
}

function addressOf(form: DetailsForm): NonNullable<DetailsChange['address']> | null {
  if (addressFields.every((name) => form[name].trim() === '')) return null
  const text = (name: FieldName) => form[name].trim() || null
  return {
    line1: text('line1'),
    line2: text('line2'),
    city: text('city'),
    state: text('state'),
    postal_code: text('postal_code'),
    country: form.country,
  }
}

/** Without a kind there is no tax id: the number's field is switched off. */
function taxIdOf({ tax_id_type, tax_id_value }: DetailsForm): NonNullable<DetailsChange['tax_id']> | null {
  const type = taxIdTypes.find((known) => known === tax_id_type)
  return type === undefined ? null : { type, value: tax_id_value.trim() }
}

/** The field of a problem of a 422: `address.country` is the field `country`. */
export function fieldOf(location: string): FieldName | undefined {
  const known: Readonly<Record<string, FieldName>> = { 'tax_id.type': 'tax_id_type', 'tax_id.value': 'tax_id_value' }
  return known[location] ?? fieldNames.find((name) => location === name || location === `address.${name}`)
}
