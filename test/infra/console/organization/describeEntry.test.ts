import { describe, expect, it } from '@jest/globals'
import { actorName, describeEntry } from '../../../../infra/console/src/organizations/describeEntry.ts'
import { english, german } from '../localization.ts'

const names = {
  user: () => 'Ada',
  product: (product: string) => product,
  apiClient: () => 'Export',
}
const entry = {
  id: '11111111-2222-4333-8444-555555555555',
  at: '2026-11-22T12:00:00.000Z',
  actor: { type: 'operator' as const, id: null },
  target: '5f2b8c1e-9d4a-4e6f-8a7b-1c2d3e4f5a6b',
}

describe('An entry of the audit log in the console', () => {
  it.each([
    [
      'organization.gateway_changed',
      { from: 'card', to: 'invoice', days_until_due: 30 },
      'changed how the organization pays: by invoice, due after 30 days',
    ],
    [
      'organization.gateway_changed',
      { from: 'card', to: 'card', days_until_due: null },
      'changed how the organization pays: by card',
    ],
    [
      'organization.gateway_changed',
      { from: 'card', to: 'direct_debit', days_until_due: null },
      'changed how the organization pays: direct debit',
    ],
    ['user.suspended', {}, 'suspended Ada'],
    ['user.restored', {}, 'restored Ada'],
    ['user.signed_out', {}, 'signed Ada out everywhere'],
    ['user.factor_removal_scheduled', {}, 'scheduled the removal of the second factors of Ada'],
    ['user.factors_removed', {}, 'removed the second factors of Ada'],
    ['user.totp_removed', {}, 'removed the authenticator app of Ada'],
    ['api_client.created', { name: 'Nightly export' }, 'created the API client “Nightly export”'],
    ['api_client.scopes_changed', { name: 'Nightly export' }, 'changed what API client “Export” may do'],
    ['api_client.rotated', { name: 'Nightly export' }, 'gave a new secret to API client “Export”'],
    ['api_client.deleted', { name: 'Nightly export' }, 'deleted the API client “Nightly export”'],
    ['webhook_endpoint.created', { host: 'hooks.example.com' }, 'added a webhook endpoint at hooks.example.com'],
    ['webhook_endpoint.updated', { host: 'hooks.example.com' }, 'changed the webhook endpoint at hooks.example.com'],
    [
      'webhook_endpoint.secret_rotated',
      { host: 'hooks.example.com' },
      'gave a new secret to the webhook endpoint at hooks.example.com',
    ],
    ['webhook_endpoint.deleted', { host: 'hooks.example.com' }, 'deleted the webhook endpoint at hooks.example.com'],
  ])('says what was done: %s %j', (action, detail, sentence) => {
    expect(describeEntry({ ...entry, action, detail }, names, english)).toBe(sentence)
  })

  it('names the API client that made a change', () => {
    const made = { ...entry, action: 'x', detail: {}, actor: { type: 'client' as const, id: 'client_1' } }
    expect(actorName(made, names, english)).toBe('API client “Export”')
    expect(actorName(made, { ...names, apiClient: () => undefined }, german)).toBe('Ein API-Client')
  })

  it.each([
    ['member.removed', {}, 'hat ein früheres Mitglied entfernt'],
    ['member.joined', { role: 'billing_admin' }, 'ist beigetreten, mit der Rolle Abrechnungsverwaltung'],
    [
      'subscription.status_changed',
      { from: 'active', to: 'past_due' },
      'hat den Zustand von ota geändert: aktiv → überfällig',
    ],
    ['subscription.canceled', { reason: 'too_expensive' }, 'hat ota beendet (zu teuer)'],
    ['subscription.canceled', { reason: 'too_complex' }, 'hat ota beendet (too complex)'],
    ['subscription.canceled', {}, 'hat ota beendet'],
    ['subscription.purchased', { coupon_code: 'WELCOME25' }, 'hat ota mit dem Gutschein WELCOME25 gekauft'],
    ['subscription.renewed', { period_end: '2026-12-22T12:00:00Z' }, 'hat ota bis 22.12.2026 verlängert'],
    [
      'organization.gateway_changed',
      { to: 'invoice', days_until_due: 1 },
      'hat die Zahlungsweise der Organisation geändert: auf Rechnung, fällig nach 1 Tag',
    ],
    [
      'details.changed',
      { changed: ['address', 'tax_id'] },
      'hat die Rechnungsangaben geändert: Anschrift, Steuernummer',
    ],
    ['a_newer.kind_of_change', {}, 'a newer kind of change'],
  ])('is said in German: %s', (action, detail, sentence) => {
    const seen = { ...names, user: () => undefined }
    expect(describeEntry({ ...entry, target: 'ota', action, detail }, seen, german)).toBe(sentence)
  })
})
