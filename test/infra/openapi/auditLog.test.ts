import { describe, expect, it } from '@jest/globals'
import { auditActions } from '../../../lib/organizations/auditActions.ts'
import { document, schemaAt } from './openApiDocument.ts'

const isEntry = schemaAt('#/components/schemas/AuditEntry')

function entry(action: string, detail: Record<string, unknown>) {
  const actor = { type: 'operator', id: null }
  const id = '608d5461-01fd-43c5-9f3f-a02deb29c547'
  return { id, at: '2026-11-28T12:00:00.000Z', actor, action, target: 'ota', detail }
}

describe('An entry of the audit log, in the document', () => {
  it('has a schema of its detail for each action', () => {
    const names = Object.keys(document.components.schemas).filter((name) => name.endsWith('Detail'))
    expect(names).toHaveLength(auditActions.length + 1)
    expect(names).toEqual(expect.arrayContaining(['AuditDetail', 'OrganizationRenamedDetail', 'UserTotpRemovedDetail']))
  })

  it.each([
    ['organization.renamed', { from: 'Acme', to: 'Beta' }, true],
    ['organization.renamed', { name: 'Beta' }, false],
    ['organization.throttled', { requests_per_minute: '60', until: null }, false],
    ['subscription.canceled', { ended_at: null }, true],
    ['organization.erased', {}, true],
    ['drone.flown', {}, true],
    ['drone.flown', { height: { meters: 120 }, pilots: ['u-1'] }, true],
  ])('of %s with %j: %s', (action, detail, isValid) => {
    expect(isEntry(entry(action, detail))).toBe(isValid)
  })
})
