import { describe, expect, it } from '@jest/globals'
import { describeEntry } from '../../infra/console/src/organizations/describeEntry.ts'

const names = { user: (id: string) => id, product: (product: string) => product }
const entry = {
  id: '11111111-2222-4333-8444-555555555555',
  at: '2026-11-22T12:00:00.000Z',
  actor: { type: 'operator' as const, id: null },
  target: '5f2b8c1e-9d4a-4e6f-8a7b-1c2d3e4f5a6b',
}

describe('An entry of the audit log in the console', () => {
  it.each([
    ['invoice', 30, 'changed how the organization pays: by invoice, due after 30 days'],
    ['card', null, 'changed how the organization pays: by card'],
    ['direct_debit', null, 'changed how the organization pays: direct debit'],
  ])('says how an organization pays that was moved to %s', (to, days_until_due, sentence) => {
    const detail = { from: 'card', to, days_until_due }
    expect(describeEntry({ ...entry, action: 'organization.gateway_changed', detail }, names)).toBe(sentence)
  })

  it.each([
    ['user.suspended', 'suspended Ada'],
    ['user.restored', 'restored Ada'],
    ['user.signed_out', 'signed Ada out everywhere'],
  ])('says what support did to a member: %s', (action, sentence) => {
    expect(describeEntry({ ...entry, action, detail: {} }, { ...names, user: () => 'Ada' })).toBe(sentence)
  })
})
