import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network that an address counts as: an IPv4 address is one of its own, of an IPv6 address the first 64 bits, because a customer
 * is given all addresses that share them (RFC 6177). What is no address is returned as it is.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return address
  // A URL writes an address in the one short form, in lower case (WHATWG URL §3.5).
  const [head = '', tail] = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0)
  const groups = [...(first ?? []), ...Array<string>(zeros).fill('0'), ...(last ?? [])]
  return `${groups.slice(0, 4).join(':')}::/64`
}
