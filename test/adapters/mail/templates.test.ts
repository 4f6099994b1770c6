import { randomUUID } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import * as authenticatorMails from '../../../lib/authenticators/mails.ts'
import type { Product } from '../../../lib/billing/catalog.ts'
import { type MailedFacts, writeMoneyMail } from '../../../lib/billing/mails/writeMoneyMail.ts'
import { formatDuration } from '../../../lib/core/format.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import { type Language, languages } from '../../../lib/core/language.ts'
import { writeNotice } from '../../../lib/events/notices/mailNotices.ts'
import { accountLinkUrl } from '../../../lib/mail/accountLinkUrl.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { nameInMail } from '../../../lib/mail/nameInMail.ts'
import { securityUrl } from '../../../lib/mail/securityUrl.ts'
import * as deletionMails from '../../../lib/organizations/deletion/mails.ts'
import * as domainMails from '../../../lib/organizations/domains/domainMails.ts'
import { invitationMail } from '../../../lib/organizations/invitations/inviteMember.ts'
import { notifyOfChange, type PowerChange } from '../../../lib/organizations/notifyOfChange.ts'
import { texts } from '../../../lib/texts/texts.ts'
import * as userMails from '../../../lib/users/mails.ts'
import { APPLICATION_URL, plainBranding } from '../../support/branding.ts'

const look = { branding: plainBranding, language: 'en' } as const
const to = 'ada@example.com'
const accountUrl = 'https://api.example.com'
const link = accountLinkUrl(accountUrl, 'verify_email', 'a-b_c&d"e')
const linked = { to, link, expiresInMinutes: 60 }
const eraseAfter = Date.UTC(2026, 1, 14)
const organizationId = organizationIdSchema.parse('00000000-0000-4000-8000-000000000000')
const invited = { ...linked, organization: 'Acme', invitedBy: 'grace', role: 'member' } as const

/** What all templates together take. */
const given = {
  ...invited,
  ...{ accountUrl, organizationId, eraseAfter, effectiveAt: eraseAfter, left: 3 },
  ...{ browser: 'Firefox on Linux', at: '14 February 2026', place: 'Germany', sourceIp: '203.0.113.9' },
  ...{ domain: 'Acme', lostAt: eraseAfter },
  member: { username: 'grace', email: 'grace@example.com' },
}

/** The mails of every template that these modules export, by its name. */
function mailsIn(module: object, language: Language): [string, Mail][] {
  return Object.entries(module).flatMap(([name, template]): [string, Mail][] => {
    if (typeof template !== 'function') return mailsIn(template, language).map(([of, mail]) => [`${name} ${of}`, mail])
    return [[name, template({ ...look, language }, given)]]
  })
}

const [actor, member, owner] = [1, 2, 3].map(() => userIdSchema.parse(randomUUID())) as [UserId, UserId, UserId]
const changes: PowerChange[] = [
  ...(['owner', 'deposed', 'removed', 'left', 'transferred', 'joined'] as const).map((kind) => ({ kind, member })),
  ...(['created', 'rotated', 'deleted'] as const).map((kind) => ({ kind, apiClient: 'deploy' })),
].map((change) => ({ ...change, organization: { id: organizationId, name: 'Acme' }, actor }))

/** The mails about changes of power: to the member and to another owner. */
async function powerMails(language: Language): Promise<[string, Mail][]> {
  const all = await Promise.all(
    changes.map(async (change) => {
      const sent: Mail[] = []
      await notifyOfChange(
        {
          ...{ branding: plainBranding, clock: { now: () => 0, sync: async () => {} } },
          organizations: {
            readMembers: async () => ({ members: [{ userId: owner, role: 'owner' }], invitations: [] }),
          },
          profiles: { find: async (ids) => new Map(ids.map((id) => [id, { username: 'grace', email: to, language }])) },
          mailBudgets: { spend: async () => 'spent' },
          mailer: { send: async (mail) => void sent.push(mail) },
          logger: { info() {}, error() {} },
        },
        change,
      )
      return sent.map((mail, at): [string, Mail] => [`${change.kind} ${at}`, mail])
    }),
  )
  return all.flat()
}

/** The mails of money: of each kind, about a product with nothing known but its name, or about a card. */
function moneyMails(language: Language): [string, Mail][] {
  const product = 'base_ota' as Product
  const card = { id: 'pm_1', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2026, isDefault: true }
  const mailed: MailedFacts[] = [
    { kind: 'bought', facts: [{ kind: 'bought', product }] },
    { kind: 'canceled', facts: [{ kind: 'canceled', product, endsAt: null }] },
    { kind: 'payment_failed', facts: [{ kind: 'payment_failed', product }] },
    { kind: 'invoice_sent', facts: [{ kind: 'invoice_sent', product, page: null }] },
    { kind: 'card_expiring', month: '2026-12', cards: [card] },
  ]
  const about = { to, organization: { id: organizationId, name: 'Acme' }, nameOf: () => 'Acme' }
  return mailed.map((one) => [one.kind, writeMoneyMail({ ...look, language }, one, about)])
}

function noticeOf(language: Language): [string, Mail] {
  const notice = { organizationId, endpointId: randomUUID(), url: 'https://hook.example/in', at: 0 }
  return ['endpoint_disabled', writeNotice(notice, { ...look, to, language })]
}

const modules = { ...userMails, ...authenticatorMails, ...deletionMails, ...domainMails, invitationMail }
const all = [...mailsIn(modules, 'en'), ...(await powerMails('en')), ...moneyMails('en'), noticeOf('en')]
const german = [...mailsIn(modules, 'de'), ...(await powerMails('de')), ...moneyMails('de'), noticeOf('de')]
const resetForm = accountLinkUrl(accountUrl, 'forgot_password')
const ownPage = `${APPLICATION_URL}?organization_id=${organizationId}`
const plainLinks = [APPLICATION_URL, ownPage, resetForm, securityUrl(accountUrl)].toSorted(
  (a, b) => b.length - a.length,
)
const linksIn = ({ text }: Mail) => text.split('\n').filter((line) => /^https?:/.test(line))

/** Every subject of the words, wherever they have one. */
function subjectsIn(words: object): string[] {
  return Object.entries(words).flatMap(([name, value]): string[] => {
    if (name === 'subject') return [typeof value === 'function' ? value('Acme') : value]
    return typeof value === 'object' && value !== null ? subjectsIn(value) : []
  })
}

describe.each(languages)('The mails in %s', (language) => {
  it('are all of the words that have a subject', () => {
    const listed = new Set((language === 'en' ? all : german).map(([, { subject }]) => subject))
    expect(subjectsIn(texts[language].mails).filter((subject) => !listed.has(subject))).toEqual([])
  })
})

/** The visible text of the HTML, in order. */
function wordsOf(document: string): string {
  const body = document.slice(document.indexOf('<body'))
  const text = body
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
  return text.replaceAll(/\s+/g, ' ').trim()
}

describe.each(all)('The mail %s', (_, mail) => {
  it('goes to the one address, under a subject of one line', () => {
    expect(mail.to).toBe(to)
    expect(mail.subject).toMatch(/^[^\p{Cc}]{10,70}$/u)
  })

  // [asvs 14.2.3]
  it('loads nothing, runs nothing and tracks no reader', () => {
    expect(mail.html).not.toMatch(/<(img|script|link|iframe|object|embed|form|input|video|audio|svg|base)\b/i)
    expect(mail.html).not.toMatch(/\b(src|srcset|background|on\w+)\s*=|url\(|@import|javascript:|data:/i)
    const elsewhere = (text: string) =>
      [link, ...plainLinks].reduce(
        (rest, one) => rest.replaceAll(one, ''),
        text.replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
      )
    expect(elsewhere(mail.html)).not.toMatch(/http|\/\//i)
    expect(elsewhere(mail.text)).not.toMatch(/http|\/\//i)
  })

  it('says in the text, word for word, what the HTML says', () => {
    const label = /:\n(?=https:)/
    const text = mail.text
      .replace(label, ' If the button doesn’t work, open this link: ')
      .replaceAll(/\s+/g, ' ')
      .trim()
    expect(wordsOf(mail.html)).toBe(text)
    expect(mail.text).not.toMatch(/[<>]|&\w+;/)
  })

  it('names its language, its title and its colors for light and dark', () => {
    expect(mail.html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(mail.html).toContain(`<title>${mail.subject}</title>`)
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">')
    expect(mail.html).toContain('@media (prefers-color-scheme: dark)')
    expect(mail.html.match(/<h1\b/g)).toHaveLength(1)
  })
})

describe.each(all.filter(([, mail]) => linksIn(mail).length > 0))('The mail %s', (_, mail) => {
  it('holds one link, alone on a line of the text, and twice in the HTML', () => {
    expect(linksIn(mail)).toHaveLength(1)
    const targets = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, target = '']) => target.replaceAll('&amp;', '&'))
    expect(targets.map((target) => target.replaceAll('&quot;', '"'))).toEqual([...linksIn(mail), ...linksIn(mail)])
  })

  it('says until when a link with a token works', () => {
    const [own = ''] = linksIn(mail)
    if (!own.includes('token=')) return
    expect(mail.text).toMatch(/This link works once and expires in 1 hour\.|14 February 2026|If you do nothing/)
  })
})

/** Advice that no thief can keep anyone from following: a link of this mail, the form that mails another, or nothing to do. */
const isFollowed = (mail: Mail) => linksIn(mail).some((one) => one.includes('token=') || one === resetForm)
const strangers = /wasn’t you|didn’t ask|did not (ask|make)|someone knows|das nicht waren|nicht von Ihnen|kennt jemand/i
const nothingToDo = /ignore this email|ignorieren|don’t need to do anything|müssen Sie nichts tun/
const elsewhere = new Set([
  // Its reader has lost the account: the way is the former address.
  texts.en.mails.emailChangeUndone.subject,
  texts.de.mails.emailChangeUndone.subject,
  // No password stops an operator; the owner has the factor of two weeks that does.
  texts.en.mails.factorRemovalByOperator.subject,
  texts.de.mails.factorRemovalByOperator.subject,
])

describe('What a mail advises if its reader did not make the change', () => {
  // [threat 30.3]
  it.each([...all, ...german].filter(([, { text }]) => strangers.test(text)))(
    'needs the mailbox alone: no sign-in, and no second factor that may be a thief’s (%s)',
    (_, mail) => {
      expect(isFollowed(mail) || nothingToDo.test(mail.text) || elsewhere.has(mail.subject)).toBe(true)
    },
  )

  // [threat 30.3]
  it.each([
    'passwordChanged',
    'factorUndone',
    'providerConnected',
    'recoveryCodeUsed',
    'authenticatorRemoved passkey',
    'authenticatorRemoved totp',
  ])('leads to a new password: %s', (name) => {
    expect(all.flatMap(([of, mail]) => (of === name ? linksIn(mail) : []))).toEqual([resetForm])
  })
})

describe('The mail invitation', () => {
  it.each([
    ['an owner', 'owner'],
    ['a billing admin', 'billing_admin'],
    ['a member', 'member'],
  ] as const)('says that the role is %s', (words, role) => {
    expect(invitationMail(look, { ...invited, role }).text).toContain(`the organization “Acme” as ${words}.`)
  })

  it.each([
    '<img src=x onerror=alert(1)>',
    '"><script>alert(1)</script>',
    '</title></h1><a href="https://eve.example">Click</a>',
    'Acme\r\nBcc: eve@example.com',
    'Acme\n\nYour account is locked. Open\nhttps://eve.example/x now',
    'www.eve.example/login',
    '\u202egnihsihp\u2066',
    'x'.repeat(5000),
  ])('shows the name %j as text only', (organization) => {
    const plain = invitationMail(look, invited)
    const { subject, text, html } = invitationMail(look, { ...invited, organization, invitedBy: organization })
    expect(subject).toMatch(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]{1,200}$/u)
    expect(html.match(/<[a-z!/][^\s>]*/gi)).toEqual(plain.html.match(/<[a-z!/][^\s>]*/gi))
    expect(text.split('\n')).toHaveLength(plain.text.split('\n').length)
    const others = text.replaceAll(link, '')
    expect(others).not.toMatch(/https?:\/\/|\w\.\w+\/|\w@\w/)
    expect(others.length).toBeLessThan(plain.text.length + 300)
  })
})

describe('nameInMail', () => {
  it.each(['Müller & Söhne GmbH', '株式会社 例', '👩🏽‍🚀 Space', 'O’Neill (UK)', 'Acme Inc.'])(
    'keeps %j as it is',
    (name) => {
      expect(nameInMail(name)).toBe(name)
    },
  )

  // [threat 89]
  it('looks the same where it prevents a link', () => {
    const name = nameInMail('https://eve.example/a@b')
    expect(name).toContain('\u2060')
    expect(name.replaceAll('\u2060', '')).toBe('https://eve.example/a@b')
  })

  it('cuts at 64 characters, never through one', () => {
    expect(nameInMail('🦊'.repeat(64))).toBe('🦊'.repeat(64))
    expect(nameInMail('🦊'.repeat(65))).toBe(`${'🦊'.repeat(63)}…`)
  })
})

describe('formatDuration', () => {
  it.each([
    [1, '1 minute'],
    [30, '30 minutes'],
    [60, '1 hour'],
    [90, '90 minutes'],
    [1440, '1 day'],
    [10_080, '7 days'],
  ])('says %i minutes as %s', (minutes, words) => {
    expect(formatDuration(minutes, 'en')).toBe(words)
  })
})

describe('accountLinkUrl', () => {
  it.each(['https://api.example.com', 'https://api.example.com/'])('begins with the base %s', (base) => {
    expect(accountLinkUrl(base, 'reset_password', 'abc-_1')).toBe(
      'https://api.example.com/api/auth/link?purpose=reset_password&token=abc-_1',
    )
  })

  it('keeps the path of a stage, and encodes the token', () => {
    const made = new URL(accountLinkUrl('https://x.example/prod', 'invitation', 'a&purpose=b#c'))
    expect(made.pathname).toBe('/prod/api/auth/link')
    expect([...made.searchParams]).toEqual([
      ['purpose', 'invitation'],
      ['token', 'a&purpose=b#c'],
    ])
    expect(made.hash).toBe('')
  })

  it('refuses a base that is not a URL', () => {
    expect(() => accountLinkUrl('api.example.com', 'invitation', 'x')).toThrow('Invalid URL')
  })
})

describe.each(all.filter(([name]) => name.includes('eletion')))('The mail %s', (_, mail) => {
  it('says on which day it is too late', () => {
    expect(mail.text).toContain('14 February 2026')
  })
})

describe('The mails about the deletion of an organization', () => {
  it('name the organization, and lead to it', () => {
    const { organizationDeletionScheduled, organizationDeletionReminder } = deletionMails
    for (const template of [organizationDeletionScheduled, organizationDeletionReminder]) {
      const mail = template(look, given)
      expect(mail.subject).toContain('Acme')
      expect(mail.text).toContain(`?organization_id=${organizationId}`)
    }
  })
})
