import ipaddr from 'ipaddr.js'
import type { AddressFault } from '../core/requestFault.ts'

/** Which servers may be sent events: public addresses with https; on a developer's machine its own loopback addresses too, also with http. */
export type Destinations = 'public' | 'public_or_loopback'

/** Why a URL cannot be an endpoint. */
export type EndpointUrlFault = AddressFault

/** Addresses of a host name, as text; the most suitable first, none if it has none. Throws if the name servers do not answer. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

export interface EndpointUrlDeps {
  readonly destinations: Destinations
  readonly resolveHost: ResolveHost
}

/** A checked endpoint, and the only address to connect to. */
export interface Destination {
  readonly kind: 'allowed'
  readonly url: URL
  readonly address: string
}

export type EndpointUrlCheck = Destination | { readonly kind: 'refused'; readonly fault: EndpointUrlFault }

/** All globally routed IPv6 addresses; what lies outside is reserved, as are the forms that embed an IPv4 address (`::127.0.0.1`). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Checks the URL of an endpoint and resolves its host, at registration and again before each delivery. Connect to the returned address: a
 * second look-up of the name could answer another. If any of the addresses is forbidden, all are. Never throws.
 */
export async function checkEndpointUrl(text: string, deps: EndpointUrlDeps): Promise<EndpointUrlCheck> {
  const url = URL.parse(text)
  if (url === null) return refused('not_a_url')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && deps.destinations === 'public_or_loopback'))
    return refused('not_https')
  if (url.username !== '' || url.password !== '') return refused('has_credentials')
  const literal = literalAddressOf(url)
  const addresses = literal === undefined ? await deps.resolveHost(url.hostname).catch(() => []) : [literal]
  const [address] = addresses
  if (address === undefined) return refused('not_resolved')
  if (!addresses.every((each) => mayConnect(url, each, deps.destinations))) return refused('forbidden_address')
  return { kind: 'allowed', url, address }
}

function refused(fault: EndpointUrlFault): EndpointUrlCheck {
  return { kind: 'refused', fault }
}

/** The address in a URL that names no host. `URL` has already rewritten every notation of it, such as `0x7f.1`. */
function literalAddressOf({ hostname }: URL): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : undefined
}

function mayConnect({ protocol }: URL, text: string, destinations: Destinations): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  const range = address.range()
  if (range === 'loopback') return destinations === 'public_or_loopback'
  return protocol === 'https:' && range === 'unicast' && !(address instanceof ipaddr.IPv6 && !isGlobal(address))
}

function isGlobal(address: ipaddr.IPv6): boolean {
  return address.match(GLOBAL_UNICAST)
}
