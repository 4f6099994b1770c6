import { taxIdTypes } from '../../../../../lib/billing/gateway/taxIdTypes.ts'

/** Where `eu_vat` is issued: the members of the European Union (https://european-union.europa.eu/principles-countries-history/eu-countries_en). */
const membersOfTheUnion = `
  AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK
`
  .trim()
  .split(/\s+/)

/** Types that another country's companies have too, by Stripe's table of tax ids (https://docs.stripe.com/billing/customer/tax-ids). */
const alsoIn: Readonly<Record<string, readonly string[]>> = {
  // The number of a company in Northern Ireland.
  eu_vat: [...membersOfTheUnion, 'GB'],
  // The one-stop shop is open to companies of any country; the Union's own are named here.
  eu_oss_vat: membersOfTheUnion,
  // The Canary Islands have a code of their own.
  ic_nif: ['ES'],
}

/**
 * The types of tax id that companies of a country have, in the order of the gateway's list. Stripe names a type after the country that
 * issues it: `de_stn`. Every type if the country is unknown or has none.
 * @param country ISO 3166-1; empty if none is chosen
 */
export function taxIdTypesIn(country: string): readonly string[] {
  const own = taxIdTypes.filter(
    (type) => type.startsWith(`${country.toLowerCase()}_`) || (alsoIn[type] ?? []).includes(country),
  )
  return country === '' || own.length === 0 ? taxIdTypes : own
}
