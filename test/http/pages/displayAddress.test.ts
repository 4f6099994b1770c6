import { describe, expect, it } from '@jest/globals'
import { branding } from '../../../lib/core/branding.ts'
import { displayAddress } from '../../../lib/core/displayAddress.ts'
import { mailSentPage } from '../../../lib/pages/account/accountFormAnswer.ts'
import { consentPage, redirectLead } from '../../../lib/pages/signIn/consentPage.ts'
import { texts } from '../../../lib/texts/texts.ts'
import { emailKey } from '../../../lib/users/emailKey.ts'

const look = {
  branding: branding.parse({ applicationUrl: 'https://console.example.com' }),
  language: 'en',
  texts: texts.en,
} as const

/** “apple.com” with the Cyrillic а, р and е. */
const HOMOGRAPH = 'аррlе.com'

describe('The domain of an address', () => {
  it.each([
    ['Cyrillic that looks like Latin', `ada@${HOMOGRAPH}`, 'ada@xn--l-7sbq6ba.com'],
    ['one Cyrillic letter in Latin', 'ada@exаmple.com', 'ada@xn--exmple-4nf.com'],
    ['letters with marks', 'ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ASCII', 'Ada.L@Example.COM', 'Ada.L@Example.COM'],
    ['no domain', 'аdа', 'аdа'],
  ])('is shown in letters that look like no other ones: %s', (_, address, shown) => {
    expect(displayAddress(address)).toBe(shown)
    expect(emailKey(displayAddress(address))).toBe(emailKey(address))
  })
})

describe('A page that shows a domain', () => {
  const csrf = 'token'

  // [threat 15.8b]
  it('shows the one of the signed-in user, and the one that the browser is sent to, in punycode', () => {
    const { document } = consentPage(look, {
      clientName: 'A console',
      email: `ada@${HOMOGRAPH}`,
      scopes: [],
      firstParty: false,
      lead: redirectLead(look, `https://${HOMOGRAPH}`),
      action: '/',
      csrf,
    })
    expect(document).not.toContain(HOMOGRAPH)
    expect(document).toContain('<strong>ada@xn--l-7sbq6ba.com</strong>')
    expect(document).toContain('<strong>xn--l-7sbq6ba.com</strong>')
  })

  it('shows the one that mail was sent to in punycode, and sends again to the address as it was given', () => {
    const { document } = mailSentPage(look, { purpose: 'register', csrf, email: `ada@${HOMOGRAPH}` })
    expect(document).toContain('<strong>ada@xn--l-7sbq6ba.com</strong>')
    expect(document).toContain(`name="email" value="ada@${HOMOGRAPH}"`)
  })
})
