import { describe, expect, it } from '@jest/globals'
import { countries, hasPostalCodes } from '../../../lib/billing/customer/countries.ts'
import { missingIn } from '../../../lib/billing/customer/missingDetails.ts'

const berlin = { line1: 'Torstrasse 1', line2: null, city: 'Berlin', state: null, postalCode: '10119', country: 'DE' }
const acme = { name: 'Acme Ltd', email: 'billing@acme.example', address: berlin }
const all = ['name', 'email', 'address'] as const

describe('The details that an invoice needs', () => {
  it('are complete with name, email, street, city, country and postal code', () => {
    expect(missingIn(all, acme)).toEqual([])
  })

  it.each(['', ' ', ' \t\n', null])('are not given by %j', (blank) => {
    const address = { ...berlin, line1: blank, city: blank, postalCode: blank }
    expect(missingIn(all, { ...acme, name: blank, email: blank, address })).toEqual([
      ...['name', 'email', 'address.line1', 'address.city', 'address.postal_code'],
    ])
  })

  it('have no postal code where the country has none', () => {
    const dubai = { ...berlin, postalCode: null, country: 'AE' }
    expect(missingIn(all, { ...acme, address: dubai })).toEqual([])
    expect(missingIn(all, { ...acme, address: { ...dubai, country: 'GB' } })).toEqual(['address.postal_code'])
  })

  it('are never more than what was named as missing', () => {
    const named = missingIn(all, { name: null, email: null, address: null })
    expect(named).toEqual(['name', 'email', 'address.line1', 'address.city', 'address.country', 'address.postal_code'])
  })

  it('are those alone that the gateway needs', () => {
    expect(missingIn([], { name: null, email: null, address: null })).toEqual([])
    expect(missingIn(['address'], { name: null, email: null, address: berlin })).toEqual([])
  })
})

describe('Countries without postal codes', () => {
  it('are the 69 of their source', () => {
    const without = countries.filter((code) => !hasPostalCodes(code))
    expect(without).toHaveLength(69)
    expect(['DE', 'US', 'GB', 'IE', 'CH', 'JP'].every(hasPostalCodes)).toBe(true)
    expect(['AE', 'HK', 'QA', 'ZW'].some(hasPostalCodes)).toBe(false)
  })
})
