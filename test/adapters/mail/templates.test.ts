import { describe, expect, it } from '@jest/globals'
import { formatDuration } from '../../../lib/core/format.ts'
import { accountLinkUrl } from '../../../lib/mail/accountLinkUrl.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { nameInMail } from '../../../lib/mail/nameInMail.ts'
import {
  organizationDeletionReminder,
  organizationDeletionScheduled,
} from '../../../lib/organizations/deletion/mails.ts'
import { invitationMail } from '../../../lib/organizations/invitations/inviteMember.ts'
import {
  accountErased,
  accountExists,
  alreadyVerified,
  deletionPending,
  deletionReminder,
  deletionScheduled,
  emailChangeConfirm,
  emailChanged,
  emailChangeNotice,
  emailChangeUndone,
  newEmailInUse,
  passwordChanged,
  passwordResetMail,
  verificationMail,
} from '../../../lib/users/mails.ts'
import { APPLICATION_URL, plainBranding } from '../../support/branding.ts'

const look = { branding: plainBranding, language: 'en' } as const
const to = 'ada@example.com'
const link = accountLinkUrl('https://api.example.com', 'verify_email', 'a-b_c&d"e')
const linked = { to, link, expiresInMinutes: 60 }
const eraseAfter = Date.UTC(2026, 1, 14)
const invited = { ...linked, organization: 'Acme', invitedBy: 'grace', role: 'member' } as const

const withLink: Record<string, Mail> = {
  verifyEmail: verificationMail(look, linked),
  resetPassword: passwordResetMail(look, linked),
  emailChangeConfirm: emailChangeConfirm(look, linked),
  emailChanged: emailChanged(look, linked),
  invitation: invitationMail(look, invited),
}
const withoutLink: Record<string, Mail> = {
  emailChangeNotice: emailChangeNotice(look, { to }),
  newEmailInUse: newEmailInUse(look, { to }),
  emailChangeUndone: emailChangeUndone(look, { to }),
  passwordChanged: passwordChanged(look, { to }),
  accountErased: accountErased(look, { to }),
}
/** Lead where anybody can go: to the application. */
const withPlainLink: Record<string, Mail> = {
  accountExists: accountExists(look, { to }),
  alreadyVerified: alreadyVerified(look, { to }),
}
/** Works until a day that they name. */
const withDay: Record<string, Mail> = {
  deletionScheduled: deletionScheduled(look, { to, link, eraseAfter }),
  deletionReminder: deletionReminder(look, { to, link, eraseAfter }),
  deletionPending: deletionPending(look, { to, link, eraseAfter }),
}
const all = { ...withLink, ...withDay, ...withoutLink, ...withPlainLink }
const deleted = { to, organizationId: '00000000-0000-4000-8000-000000000000', organization: 'Acme', eraseAfter }
const plainLinks = [APPLICATION_URL]

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

describe.each(Object.entries(all))('The mail %s', (_, mail) => {
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

describe.each(Object.entries(withLink))('The mail %s', (_, mail) => {
  it('holds the link alone on a line of the text, and twice in the HTML', () => {
    expect(mail.text.split('\n').filter((line) => line === link)).toHaveLength(1)
    const targets = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, target = '']) => target.replaceAll('&amp;', '&'))
    expect(targets).toEqual([link, link])
  })

  it('says when the link expires, and what to do about an unexpected mail', () => {
    expect(mail.text).toContain('This link works once and expires in 1 hour.')
    expect(mail.text).toContain('ignore this email')
  })
})

describe.each(Object.entries(withPlainLink))('The mail %s', (_, mail) => {
  it('leads on, without a token', () => {
    expect(plainLinks.filter((one) => mail.text.split('\n').includes(one))).toHaveLength(1)
    expect(mail.text).not.toContain('token=')
  })
})

describe.each(Object.entries(withoutLink))('The mail %s', (_, mail) => {
  it('has no link', () => {
    expect(mail.html).not.toContain('href')
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

describe.each(Object.entries(withDay))('The mail %s', (_, mail) => {
  it('says on which day it is too late', () => {
    expect(mail.text).toContain('14 February 2026')
    expect(mail.html).toContain(`href="${link.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`)
  })
})

describe.each([
  ['scheduled', organizationDeletionScheduled(look, deleted)],
  ['reminder', organizationDeletionReminder(look, deleted)],
] as const)('The mail about the deletion of an organization: %s', (_, mail) => {
  it('names the organization and the day, and leads to it', () => {
    expect(mail.subject).toContain('Acme')
    expect(mail.text).toContain('14 February 2026')
    expect(mail.text).toContain(`?organization_id=${deleted.organizationId}`)
  })
})
