import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { isRegistered, leadsToProgram, requireRegistrable } from '../../../lib/oauth/client/redirectUri.ts'
import { checkProperty } from './checkProperty.ts'
import { codePoint } from './jsonValues.ts'

const port = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 65_535 }).map((one) => `:${one}`),
)
const tail = fc.constantFrom('', '/', '/callback', '/callback?a=b', '?a=b', '/..', '/%2e%2e', '@evil.example.com/')
const host = fc.constantFrom(
  '127.0.0.1',
  '[::1]',
  'localhost',
  '127.0.0.2',
  '127.1',
  'evil.example.com',
  'localhost.evil.example.com',
)
const scheme = fc.constantFrom(
  'http://',
  'https://',
  'com.example.app:/',
  'com.example.app://',
  'javascript:',
  'data:',
  'blob:http://',
  'file:///',
)
// Not fc.webUrl, which takes a second to make its list of code points.
const authority = fc.webAuthority({ withIPv4: true, withIPv6: true, withPort: true })
const uri = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(scheme, host, port, tail).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(scheme, authority, tail).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: codePoint }) },
)
const type = fc.constantFrom('public', 'confidential')
const policy = fc.constantFrom('exact', 'development')

describe('A redirect URI', () => {
  // [threat 2]
  it('that is not registered matches on no stage but at another port of a registered loopback address', () => {
    checkProperty(
      fc.property(uri, uri, (registered, sent) => {
        const equal = registered === sent && URL.canParse(sent)
        expect(isRegistered([registered], sent, 'exact')).toBe(equal)
        if (equal || !isRegistered([registered], sent, 'development')) return
        const [one, other] = [new URL(registered), new URL(sent)]
        expect(one.protocol).toBe('http:')
        expect(['127.0.0.1', '[::1]']).toContain(one.hostname)
        one.port = other.port
        expect(one.href).toBe(other.href)
      }),
    )
  })

  it('matches at every port of a registered loopback address, on a stage for development', () => {
    checkProperty(
      fc.property(
        fc.constantFrom('127.0.0.1', '[::1]'),
        port,
        port,
        fc.constantFrom('', '/callback', '?a=b'),
        (at, one, other, rest) => {
          expect(isRegistered([`http://${at}${one}${rest}`], `http://${at}${other}${rest}`, 'development')).toBe(true)
        },
      ),
    )
  })

  // [threat 3]
  it('is registered for https, for an app, or for a program on the own machine, and nothing else', () => {
    checkProperty(
      fc.property(uri, type, policy, (one, clientType, stagePolicy) => {
        try {
          requireRegistrable(one, { type: clientType }, stagePolicy)
        } catch {
          return
        }
        const { protocol, hostname, href, username, hash } = new URL(one)
        expect([href, username, hash]).toEqual([one, '', ''])
        if (protocol === 'https:') return expect(leadsToProgram(one)).toBe(false)
        expect(leadsToProgram(one)).toBe(true)
        if (protocol !== 'http:')
          return expect([protocol.includes('.'), clientType, hostname]).toEqual([true, 'public', ''])
        expect(['127.0.0.1', '[::1]', ...(stagePolicy === 'development' ? ['localhost'] : [])]).toContain(hostname)
        if (stagePolicy === 'exact') expect(clientType).toBe('public')
      }),
    )
  })
})
