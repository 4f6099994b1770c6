import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from '@jest/globals'
import { looksLatin } from '../../../lib/users/lookalikes.ts'
import { problemOfName } from '../../../lib/users/soundName.ts'
import { isReservedUsername } from '../../../lib/users/username.ts'

describe('The username', () => {
  // [threat 30.11a]
  it.each([
    ...['Console-Support', 'billing-team', 'BillingTeam', 'supp0rt.desk', 'the_official_ada', 'adm1n', 'security2026'],
    ...['adminteam', 'Acme-Cloud', 'acmecloud', 'acme.cloud.help', 'AcmeCloudSupport', 'ada-acmecl0ud', 'acme-cloud7'],
  ])('%s is reserved, by a part that names the service or who runs it', (name) => {
    expect(isReservedUsername(name, 'Acme Cloud')).toBe(true)
  })

  it.each(['steamboat', 'badminton', 'ada-lovelace', 'acme', 'cloud-ada', 'teamwork', 'unofficial', 'Rebilling'])(
    '%s is not',
    (name) => {
      expect(isReservedUsername(name, 'Acme Cloud')).toBe(false)
    },
  )

  it('is not reserved by a service whose name has no letter that usernames can have', () => {
    expect(isReservedUsername('ada', '電光')).toBe(false)
  })
})

describe('A name that people read', () => {
  // [threat 30.11a]
  it.each([
    'C\u043Ensole',
    '\u0421onsole Support',
    'Acm\u0435',
    'P\u0430yp\u0430l',
    '\u039Acme',
    'Ac\uFF4De',
    '\u{1D402}onsole',
  ])('is refused for a word that mixes scripts to look Latin: %s', (name) => {
    expect(problemOfName(name)).toBe('mixed_scripts')
  })

  it.each(['\u{1D402}\u{1D428}\u{1D427}'])('is refused for letters that are drawn for mathematics: %s', (name) => {
    expect(problemOfName(name)).toBe('mixed_scripts')
  })

  it.each([
    ...[
      'Acme',
      'Müller & Söhne',
      'Kılıç',
      'Łódź',
      '東京 Inc',
      '株式会社ABC',
      'ＡＢＣ株式会社',
      'Яндекс Cloud',
      'Сосо',
      'Ωmega',
    ],
    ...['Αθήνα', 'שלום', 'مرحبا', 'नमस्ते', '한국', 'B2B', '3M', 'Øresund', 'Größe', 'COOP', 'Acme 🛠️', '👩‍💻 Ada'],
  ])('is sound in any script, and with words of several: %s', (name) => {
    expect(problemOfName(name)).toBeUndefined()
  })

  it.each([0x00, 0x09, 0x7f, 0xad, 0x200b, 0x200d, 0x202e, 0x2060, 0x2066, 0xfeff, 0x3164, 0xfe0f, 0x2028, 0xe0001])(
    'is refused for the invisible character U+%d',
    (code) => {
      expect(problemOfName(`Ac${String.fromCodePoint(code)}me`)).toBe('invisible_character')
    },
  )

  it('takes for look-alikes what Unicode’s list of confusables does', () => {
    const file = createRequire(import.meta.url).resolve('unhomoglyph/data.json')
    const confusables: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
    const isOfAnotherScript = (letter: string) => /^\p{L}$/u.test(letter) && !/\p{Script=Latin}/u.test(letter)
    for (const [letter, looks] of Object.entries(confusables)) {
      const isPlain = isOfAnotherScript(letter) && letter.normalize('NFKC') === letter
      expect([letter, looksLatin(letter)]).toEqual([letter, isPlain && /^[A-Za-z]+$/.test(looks)])
    }
  })
})
