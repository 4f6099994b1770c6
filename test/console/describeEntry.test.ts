import { describe, expect, it } from '@jest/globals'
import { actorName, describeEntry } from '../../infra/console/src/organizations/describeEntry.ts'

const names = {
  user: (id: string) => id,
  product: (product: string) => product,
  apiClient: () => 'API client “Export”',
}
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

  it.each([
    ['api_client.created', 'created the API client “Nightly export”'],
    ['api_client.scopes_changed', 'changed what API client “Export” may do'],
    ['api_client.rotated', 'gave a new secret to API client “Export”'],
    ['api_client.deleted', 'deleted the API client “Nightly export”'],
  ])('says what was done to an API client: %s', (action, sentence) => {
    expect(describeEntry({ ...entry, action, detail: { name: 'Nightly export' } }, names)).toBe(sentence)
  })

  it('names the API client that made a change', () => {
    expect(actorName({ ...entry, action: 'x', detail: {}, actor: { type: 'client', id: 'client_1' } }, names)).toBe(
      'API client “Export”',
    )
  })
})
