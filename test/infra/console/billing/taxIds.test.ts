import { describe, expect, it } from '@jest/globals'
import { taxIdTypesIn } from '../../../../infra/console/src/billing/details/taxIdKinds.ts'
import { countries } from '../../../../lib/billing/customer/countries.ts'
import { taxIdTypes } from '../../../../lib/billing/gateway/taxIdTypes.ts'

describe('The kinds of tax id that the console offers', () => {
  it('are those of the country of the address, and of the European Union for its members', () => {
    expect(taxIdTypesIn('DE')).toEqual(['de_stn', 'eu_oss_vat', 'eu_vat'])
    expect(taxIdTypesIn('AT')).toEqual(['eu_oss_vat', 'eu_vat'])
    expect(taxIdTypesIn('GB')).toEqual(['eu_vat', 'gb_vat'])
    expect(taxIdTypesIn('CH')).toEqual(['ch_uid', 'ch_vat'])
    expect(taxIdTypesIn('US')).toEqual(['us_ein'])
  })

  it('are all without a country, and for a country that has none', () => {
    expect(taxIdTypesIn('')).toEqual(taxIdTypes)
    expect(taxIdTypesIn('AQ')).toEqual(taxIdTypes)
  })

  it('leave out no kind: each is that of some country', () => {
    const offered = countries.map(taxIdTypesIn).filter((types) => types.length < taxIdTypes.length)
    expect([...new Set(offered.flat())].toSorted()).toEqual([...taxIdTypes].toSorted())
  })
})
