import { describe, expect, it } from '@jest/globals'
import { domainOfAddress, parseDomainName, proofNameOf } from '../../../lib/organizations/domains/domainName.ts'

describe('The name of a domain', () => {
  // [threat 93.9]
  it.each([
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['mail.example.co.uk', 'mail.example.co.uk'],
    ['ｅxample.com', 'example.com'],
    ['1.example', '1.example'],
  ])('%s is %s', (text, name) => {
    expect(parseDomainName(text)).toBe(name)
  })

  // [threat 93.9]
  it.each([
    '',
    '.',
    'com',
    '.com',
    'example..com',
    '-a.com',
    'a-.com',
    'a_b.com',
    '*.example.com',
    '10.0.0.1',
    '0x7f.1',
    '[::1]',
    'example.com:443',
    'example.com/',
    'a@example.com',
    'ex%61mple.com',
    'exa mple.com',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(120)}com`,
  ])('is not %j', (text) => {
    expect(parseDomainName(text)).toBeUndefined()
  })

  it('is that of an address after its last @', () => {
    expect(domainOfAddress('Ada@Example.com')).toBe('example.com')
    expect(domainOfAddress('"a@evil.example"@example.com')).toBe('example.com')
    expect(domainOfAddress('ada@example.com.evil.example')).toBe('example.com.evil.example')
    expect(domainOfAddress('nobody')).toBeUndefined()
  })

  it('leaves room for the label of its proof', () => {
    const longest = `${'a'.repeat(57)}.${`${'b'.repeat(59)}.`.repeat(3)}c`
    expect(parseDomainName(longest)).toBe(longest)
    expect(proofNameOf(longest)).toHaveLength(253)
    expect(parseDomainName(`a${longest}`)).toBeUndefined()
  })
})
