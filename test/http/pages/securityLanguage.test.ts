import { describe, expect, it } from '@jest/globals'
import type { SecurityStep } from '../../../lib/authenticators/security/securityStep.ts'
import { organizationIdSchema, userIdSchema } from '../../../lib/core/ids.ts'
import { lookFor } from '../../../lib/pages/kit/look.ts'
import { securityAnswer } from '../../../lib/pages/security/securityAnswer.ts'
import { queryOfForm } from '../../../lib/pages/security/securityForm.ts'
import { plainBranding } from '../../support/branding.ts'
import { eventOf } from '../call.ts'

const times = { createdAt: 0, lastUsedAt: 0 }
const passkey = { id: 'p&1', name: 'Key', backupEligible: false, backedUp: false, ...times }
const list = { passkeys: [passkey], totp: times, recoveryCodes: undefined }
const provider = { id: 'd', name: 'Acme', connectedAt: 0, signsIn: true, isOnlyWay: false, email: undefined }
const organizationId = organizationIdSchema.parse('5f0c1a52-4b0e-4a4e-9d54-2f6f8f6f0a02')
const userId = userIdSchema.parse('5f0c1a52-4b0e-4a4e-9d54-2f6f8f6f0a01')
const organization = { id: organizationId, name: 'Acme', createdAt: '2026-11-20T08:00:00Z' }
const member = { username: 'ada', email: 'ada@example.com' }

const steps: readonly Exclude<SecurityStep, { step: 'sign_in' }>[] = [
  {
    ...{ step: 'overview', email: member.email, isVerified: true, list, providers: [provider] },
    reset: { requestedAt: 0, effectiveAt: 1 },
  },
  { step: 'passkey', passkey, name: 'Key' },
  { step: 'new_passkey', options: {}, others: 1 },
  { step: 'provider', provider },
  { step: 'provider', provider: { ...provider, isOnlyWay: true } },
  { step: 'totp' },
  { step: 'new_totp', secret: 'ABCD', qrCode: [[true]] },
  { step: 'codes', left: 1 },
  { step: 'new_codes', codes: ['one'] },
  { step: 'reset', userId, organization, member, requestedAt: 0, state: 'waiting', isApproved: false },
  { step: 'done', done: 'totp_added' },
]

/** Where the answer leads to within these pages: by links, by forms, or at once. */
function placesOf(step: (typeof steps)[number], query: string): string[] {
  const look = lookFor(plainBranding, eventOf({ query }))
  const { body = '', headers = {} } = securityAnswer(look, step, { csrf: 'token', uiLocales: look.uiLocales })
  const linked = [...body.matchAll(/(?:href|action)="([^"]*)"/g)].map(([, place = '']) =>
    place.replaceAll('&amp;', '&'),
  )
  return [...linked, `${headers.location}`].filter((place) => place.startsWith('/api/account/security'))
}

describe('The pages of authenticators, asked for in a language', () => {
  it.each(steps)('lead on in it: $step', (step) => {
    const places = placesOf(step, 'ui_locales=de+fr')
    expect(places.length).toBeGreaterThan(0)
    for (const place of places) expect(new URLSearchParams(place.split('?')[1]).get('ui_locales')).toBe('de fr')
    expect(placesOf(step, '').join()).not.toContain('ui_locales')
  })

  it('return to it after a sign-in', () => {
    const form = { action: 'remove_passkey', id: 'p&1' } as const
    expect(queryOfForm({ uiLocales: 'de' }, form)).toBe('view=passkey&id=p%261&ui_locales=de')
    expect(queryOfForm({}, { action: 'disconnect_provider', id: 'd' })).toBe('view=provider&id=d')
    expect(queryOfForm({ uiLocales: 'de' }, { action: 'begin_totp' })).toBe('ui_locales=de')
    expect(queryOfForm({}, { action: 'begin_totp' })).toBe('')
  })
})
