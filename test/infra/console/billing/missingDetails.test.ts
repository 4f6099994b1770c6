import { describe, expect, it } from '@jest/globals'
import { missingDetails } from '../../../../infra/console/src/billing/details/missingDetails.ts'
import type { DetailPath } from '../../../../lib/billing/customer/missingDetails.ts'
import { english, german } from '../localization.ts'

function refusedFor(...missing: DetailPath[]) {
  const error = 'billing_details_required' as const
  return { ok: false as const, product_code: 'base_ota', error, detail: 'Refused', missing }
}
const address = ['address.line1', 'address.city', 'address.country', 'address.postal_code'] as const

describe('Billing details', () => {
  it('lack what an invoice cannot be sent without', () => {
    expect(missingDetails({ lines: [refusedFor('email', ...address)] }, english)).toBe(
      'an email address and an address',
    )
    const all = { lines: [refusedFor('name', 'email', ...address)] }
    expect(missingDetails(all, german)).toBe('einen Namen, eine E-Mail-Adresse und eine Anschrift')
    expect(missingDetails({ lines: [refusedFor('name')] }, english)).toBe('a name')
    expect(missingDetails({ lines: [] }, english)).toBeUndefined()
  })

  it('lack parts of an address, each named once however many lines lack it', () => {
    const line = refusedFor('address.city', 'address.postal_code')
    expect(missingDetails({ lines: [line, line] }, english)).toBe('a city and a postal code')
    expect(missingDetails({ lines: [line] }, german)).toBe('einen Ort und eine Postleitzahl')
    expect(missingDetails({ lines: [refusedFor('address')] }, english)).toBe('a valid address')
  })
})
