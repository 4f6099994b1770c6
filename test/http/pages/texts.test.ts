import { describe, expect, it } from '@jest/globals'
import { html } from '../../../lib/core/html.ts'
import { languages } from '../../../lib/core/language.ts'
import type { MailLook } from '../../../lib/mail/renderMail.ts'
import { invitationMail } from '../../../lib/organizations/invitations/inviteMember.ts'
import { type Texts, texts } from '../../../lib/texts/texts.ts'
import { passwordChanged, verificationMail } from '../../../lib/users/mails.ts'
import { plainBranding } from '../../support/branding.ts'

/** Every text of a table, by its path; one that takes values, with values in it. */
function sentencesOf(value: unknown, path = ''): [path: string, sentence: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, String(value(...argumentsOf(path)))]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => sentencesOf(part, path === '' ? name : `${path}.${name}`))
}

/** Values for the texts that take some. */
function argumentsOf(path: string): unknown[] {
  if (/wait|tooMany|once/i.test(path)) return [90]
  if (/done\.text$/.test(path)) return ['owner']
  if (/redirect$/.test(path)) return [html`<b></b>`]
  return ['Grace', 'Acme', 'owner']
}

const paths = (table: Texts) => sentencesOf(table).map(([path]) => path)
const link = 'https://api.example.com/api/auth/link?purpose=x&token=y'

describe('The texts', () => {
  it.each(languages)('are complete in %s: none is empty, none has a hole', (language) => {
    expect(paths(texts[language])).toEqual(paths(texts.en))
    const holes = sentencesOf(texts[language]).filter(
      ([, text]) => text.trim() === '' || /undefined|\[object|NaN/.test(text),
    )
    expect(holes).toEqual([])
  })

  it('in German are in German: they address people as “Sie”, and none was left in English', () => {
    const same = sentencesOf(texts.de).filter(([path, text]) =>
      sentencesOf(texts.en).some(([other, english]) => other === path && english === text),
    )
    // Values alone.
    expect(same.map(([path]) => path)).toEqual(['mails.money.bought.line'])
    for (const [, text] of sentencesOf(texts.de)) {
      expect(text).not.toMatch(/\b(du|dein|deine|dich|dir|your|the|password|please)\b/i)
      expect(text).not.toMatch(/["']|(?<![a-z])(ae|oe|ue)(?![a-z])|fuer|ueber|koenn|aendern|bestaetig/)
    }
  })

  it('escape the names that they hold', () => {
    const name = '<img src=x>'
    for (const { invitation: texted, signIn } of Object.values(texts)) {
      expect(String(texted.lead(name, name, 'owner'))).not.toContain(name)
      expect(String(signIn.lead(name))).not.toContain(name)
    }
  })
})

describe('A mail', () => {
  const look: MailLook = { branding: plainBranding, language: 'de' }

  it('is in the language of the request that caused it, and says so', () => {
    const mail = verificationMail(look, { to: 'ada@example.com', link, expiresInMinutes: 24 * 60 })
    expect(mail.subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse')
    expect(mail.text).toContain('Der Link funktioniert nur einmal und ist 1 Tag lang gültig.')
    expect(mail.html).toContain('<html lang="de">')
    expect(mail.html).toContain('Falls die Schaltfläche nicht funktioniert')
  })

  it('names the role of an invitation', () => {
    const { text } = invitationMail(look, {
      ...{ to: 'ada@example.com', organization: 'Acme', invitedBy: 'grace', role: 'billing_admin' },
      ...{ link, expiresInMinutes: 7 * 24 * 60 },
    })
    expect(text).toContain('grace lädt Sie in die Organisation „Acme“ ein. Ihre Rolle: Abrechnungsverwaltung.')
    expect(text).toContain('ist 7 Tage lang gültig')
  })

  it('has the name, the accent and the support of the stage', () => {
    const colors = { accent: { light: '#7a1fa2', dark: '#ce93d8' } }
    const branding = { ...plainBranding, name: 'Rakete & Söhne', colors, supportEmail: 'hilfe@example.com' }
    const { text, html: document } = passwordChanged(
      { branding, language: 'de' },
      { to: 'ada@example.com', accountUrl: 'https://api.example.com' },
    )
    expect(text).toMatch(/Fragen\? hilfe@example\.com\n\nRakete & Söhne\n$/)
    expect(document).toContain('Rakete &amp; Söhne')
    const linked = verificationMail({ branding, language: 'en' }, { to: 'ada@example.com', link, expiresInMinutes: 60 })
    expect(linked.html).toContain('background:#7a1fa2')
    expect(linked.html).toContain('.link { color: #ce93d8')
  })
})
