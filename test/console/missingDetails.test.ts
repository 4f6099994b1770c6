import { describe, expect, it } from '@jest/globals'
import { missingDetails } from '../../infra/console/src/billing/missingDetails.ts'

describe('Billing details', () => {
  const address = { line1: null, line2: null, city: null, state: null, postal_code: null, country: 'DE' }

  it('lack what an invoice cannot be sent without', () => {
    expect(missingDetails({ name: 'Acme', email: null, address: null })).toBe('an email address and an address')
    expect(missingDetails({ name: null, email: 'billing@acme.example', address })).toBe('a name')
    expect(missingDetails({ name: 'Acme', email: 'billing@acme.example', address })).toBeUndefined()
  })
})
