import { describe, expect, it } from '@jest/globals'
import { clientNetwork, edgeHeaders, networkOf, viewerCountry } from '../../../lib/http/security/clientNetwork.ts'
import { eventOf } from '../call.ts'

const KEY = 'key of this stage'

/** An event from this peer of API Gateway, with these headers. */
function from(sourceIp: string, headers: Record<string, string> = {}) {
  const { requestContext, ...event } = eventOf({ headers })
  return { ...event, requestContext: { ...requestContext, http: { ...requestContext.http, sourceIp } } }
}

describe('The source IP of a request', () => {
  // [asvs 4.1.3 15.3.4] [threat 15.2f]
  it('is API Gateway’s peer where nothing is in front, whatever headers say', () => {
    const forged = {
      'x-forwarded-for': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
      'x-real-ip': '192.0.2.1',
      'cloudfront-viewer-address': '192.0.2.1:443',
      [edgeHeaders.viewer]: '192.0.2.1',
      [edgeHeaders.key]: '',
    }
    for (const headers of [forged, { ...forged, [edgeHeaders.key]: 'undefined' }])
      expect(clientNetwork(from('203.0.113.7', headers), undefined)).toBe('203.0.113.7')
  })

  // [asvs 4.1.3 15.3.4] [threat 15.2f]
  it('is CloudFront’s viewer where a request proves that it came that way, and only then', () => {
    const viewer = { [edgeHeaders.viewer]: '192.0.2.1', 'x-forwarded-for': '192.0.2.9' }
    expect(clientNetwork(from('64.252.0.1', { ...viewer, [edgeHeaders.key]: KEY }), KEY)).toBe('192.0.2.1')
    for (const key of ['', 'guessed', `${KEY},${KEY}`, KEY.toUpperCase()])
      expect(clientNetwork(from('203.0.113.7', { ...viewer, [edgeHeaders.key]: key }), KEY)).toBe('203.0.113.7')
    expect(clientNetwork(from('203.0.113.7', viewer), KEY)).toBe('203.0.113.7')
    expect(clientNetwork(from('64.252.0.1', { [edgeHeaders.key]: KEY }), KEY)).toBe('64.252.0.1')
  })

  // [threat 30.8d]
  it('comes with its country where CloudFront says it, and only then', () => {
    const country = { [edgeHeaders.country]: 'DE', 'cloudfront-viewer-country': 'FR' }
    const key = { [edgeHeaders.key]: KEY }
    expect(viewerCountry(from('64.252.0.1', { ...country, ...key }), KEY)).toBe('DE')
    expect(viewerCountry(from('203.0.113.7', { ...country, [edgeHeaders.key]: 'guessed' }), KEY)).toBeUndefined()
    expect(viewerCountry(from('203.0.113.7', country), undefined)).toBeUndefined()
    for (const unknown of ['', 'de', 'Germany', '<b>'])
      expect(viewerCountry(from('64.252.0.1', { [edgeHeaders.country]: unknown, ...key }), KEY)).toBeUndefined()
  })

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['2001:db8:1:2:3:4::', '2001:db8:1:2::/64'],
    ['not an address', 'not an address'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
