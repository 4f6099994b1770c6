import type { LocalInfo } from '../info.ts'
import type { WireAnswer } from './apiGatewayAnswer.ts'
import { headerOf, type WireRequest } from './apiGatewayEvent.ts'

/**
 * Leads a page that is opened at another name of this machine to the stack's address: cookies, passkeys and redirect URIs belong to that. Undefined
 * if the request came to this address, or is no page's: the API answers at every name.
 */
export function leadToOwnAddress(
  { base_url }: Pick<LocalInfo, 'base_url'>,
  request: Pick<WireRequest, 'method' | 'url' | 'headers'>,
): WireAnswer | undefined {
  const host = headerOf(request, 'host')
  const asksForPage = request.method === 'GET' && headerOf(request, 'accept')?.includes('text/html') === true
  if (!asksForPage || host === undefined || host === new URL(base_url).host) return undefined
  return {
    status: 307,
    headers: { location: base_url + request.url, 'cache-control': 'no-store' },
    body: Buffer.alloc(0),
  }
}
