import { describe, expect, it } from '@jest/globals'
import { checkEndpointUrl, type Destinations } from '../../../lib/events/endpointUrl.ts'

/** Checks a URL whose host has these addresses. */
const check = (url: string, addresses: readonly string[] = [], destinations: Destinations = 'public') =>
  checkEndpointUrl(url, { destinations, resolveHost: async () => addresses })

const faultOf = async (...args: Parameters<typeof check>) => {
  const result = await check(...args)
  return result.kind === 'refused' ? result.fault : result.kind
}

/** Every range that is not for the public, with the forms that embed an IPv4 address. */
const forbidden = [
  ...[
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.8.8.8',
    '169.254.169.254',
    '172.16.0.1',
  ],
  ...['172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.7'],
  ...['203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::7f00:1',
  ],
  ...['64:ff9b:1::1', '100::1', '2001::1', '2001:2::1', '2001:db8::1', '2001:10::1', '2002:7f00:1::', '3fff::1'],
  ...['5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1', '4000::1'],
]

describe('The URL of an endpoint', () => {
  // [threat 128]
  it.each(forbidden)('is refused if its host has the address %s, or names it', async (address) => {
    const literal = address.includes(':') ? `[${address}]` : address
    expect(await faultOf('https://hook.example/', [address])).toBe('forbidden_address')
    expect(await faultOf(`https://${literal}/`)).toBe('forbidden_address')
  })

  // [threat 128]
  it.each(['https://2130706433/', 'https://0x7f.1/', 'https://0177.0.0.1/', 'https://127.1/', 'https://①②⑦.0.0.1/'])(
    'is refused in every notation of an address: %s',
    async (url) => {
      expect(await faultOf(url)).toBe('forbidden_address')
    },
  )

  it('is refused if any of the addresses is forbidden', async () => {
    expect(await faultOf('https://hook.example/', ['93.184.216.34', '10.0.0.1'])).toBe('forbidden_address')
  })

  it('is accepted with the first public address', async () => {
    expect(await check('https://hook.example/in?a=1', ['93.184.216.34', '1.1.1.1'])).toMatchObject({
      kind: 'allowed',
      address: '93.184.216.34',
    })
    expect(await check('https://hook.example/', ['2606:4700::1111'])).toMatchObject({ address: '2606:4700::1111' })
    expect(await check('https://93.184.216.34:8443/')).toMatchObject({ address: '93.184.216.34' })
    expect(await check('https://[2606:4700::1111]/')).toMatchObject({ address: '2606:4700::1111' })
  })

  it.each([
    ['hook', 'not_a_url'],
    ['http://hook.example/', 'not_https'],
    ['ftp://hook.example/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['https://user:password@hook.example/', 'has_credentials'],
    ['https://user@hook.example/', 'has_credentials'],
  ])('is refused: %s is %s', async (url, fault) => {
    expect(await faultOf(url, ['93.184.216.34'])).toBe(fault)
  })

  // [catch endpointUrl.checkEndpointUrl]
  it('is refused if its host has no address, no sound address, or is not resolved', async () => {
    const resolveHost = () => Promise.reject(new Error('no answer'))
    expect(await faultOf('https://hook.example/', [])).toBe('not_resolved')
    expect(await faultOf('https://hook.example/', ['nonsense'])).toBe('forbidden_address')
    expect(await checkEndpointUrl('https://hook.example/', { destinations: 'public', resolveHost })).toEqual({
      kind: 'refused',
      fault: 'not_resolved',
    })
  })

  it('may be a loopback address on a developer’s machine, also with http, and no other address with http', async () => {
    expect(await check('http://127.0.0.1:4000/', [], 'public_or_loopback')).toMatchObject({ address: '127.0.0.1' })
    expect(await check('http://localhost:4000/', ['127.0.0.1'], 'public_or_loopback')).toMatchObject({
      kind: 'allowed',
    })
    expect(await check('https://[::1]/', [], 'public_or_loopback')).toMatchObject({ address: '::1' })
    expect(await faultOf('http://hook.example/', ['93.184.216.34'], 'public_or_loopback')).toBe('forbidden_address')
    expect(await faultOf('https://hook.example/', ['10.0.0.1'], 'public_or_loopback')).toBe('forbidden_address')
    expect(await faultOf('https://169.254.169.254/', [], 'public_or_loopback')).toBe('forbidden_address')
  })
})
