import { createHash, timingSafeEqual } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import type { HttpEvent } from '../contract.ts'
import { header } from '../request/request.ts'

/** The headers by which CloudFront in front of the API proves itself and names its viewer; it replaces what a viewer sends under these names. */
export const edgeHeaders = {
  key: 'x-console-edge-key',
  viewer: 'x-console-viewer-address',
  country: 'x-console-viewer-country',
} as const

/**
 * The network of the client: as API Gateway sees it, which no header changes; behind CloudFront, whose address that would be, as CloudFront
 * sees it. Only a request with the stage's own `edgeKey` is CloudFront's (`isOfEdge`).
 */
export function clientNetwork(
  event: Pick<HttpEvent, 'headers' | 'requestContext'>,
  edgeKey: string | undefined,
): string {
  const { sourceIp } = event.requestContext.http
  const viewer = header(event, edgeHeaders.viewer)
  return networkOf(viewer !== undefined && isOfEdge(event, edgeKey) ? viewer : sourceIp)
}

/** The country of the client as CloudFront knows it, an ISO 3166-1 alpha-2 code; undefined without CloudFront, and if it does not know. */
export function viewerCountry(
  event: Pick<HttpEvent, 'headers' | 'requestContext'>,
  edgeKey: string | undefined,
): string | undefined {
  const country = header(event, edgeHeaders.country)
  return country !== undefined && /^[A-Z]{2}$/.test(country) && isOfEdge(event, edgeKey) ? country : undefined
}

/** Whether a request came through this stage's CloudFront. False if there is none. */
export function isOfEdge(event: Pick<HttpEvent, 'headers'>, edgeKey: string | undefined): boolean {
  return edgeKey !== undefined && isSame(header(event, edgeHeaders.key) ?? '', edgeKey)
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

/**
 * The network that an address counts as: an IPv4 address counts by itself, an IPv6 address by its first 64 bits, because a customer
 * is given all addresses that share them (RFC 6177). What is no address is returned as it is.
 */
export function networkOf(address: string): string {
  // Node compiles its pattern of these addresses at the first question: 3 ms of a cold start.
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined && isIPv4(mapped)) return mapped
  if (!isIPv6(address)) return address
  // A URL writes an address in its short form, in lower case (WHATWG URL §3.5).
  const [head = '', tail] = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0)
  const groups = [...(first ?? []), ...Array<string>(zeros).fill('0'), ...(last ?? [])]
  return `${groups.slice(0, 4).join(':')}::/64`
}
