import { describe, expect, it } from '@jest/globals'
import { missingDetails } from '../../../infra/console/src/billing/missingDetails.ts'
import { english, german } from './localization.ts'

describe('Billing details', () => {
  const address = { line1: null, line2: null, city: null, state: null, postal_code: null, country: 'DE' }

  it('lack what an invoice cannot be sent without', () => {
    expect(missingDetails({ name: 'Acme', email: null, address: null }, english)).toBe(
      'an email address and an address',
    )
    const missing = { name: null, email: null, address: null }
    expect(missingDetails(missing, german)).toBe('einen Namen, eine E-Mail-Adresse und eine Anschrift')
    expect(missingDetails({ name: null, email: 'billing@acme.example', address }, english)).toBe('a name')
    expect(missingDetails({ name: 'Acme', email: 'billing@acme.example', address }, english)).toBeUndefined()
  })
})
