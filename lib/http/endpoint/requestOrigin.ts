import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestOrigin } from '../../core/activity.ts'
import type { HttpEvent } from '../contract.ts'
import { header, sourceIpOf } from '../request/request.ts'
import { viewerCountry } from '../security/clientNetwork.ts'

const origins = new AsyncLocalStorage<RequestOrigin>()

/** Where the request comes from that the running code works for; undefined if it works for no HTTP request. It is personal data: never log it. */
export function requestOrigin(): RequestOrigin | undefined {
  return origins.getStore()
}

/** Runs `run`, and all that it starts, for a request whose source IP has been found. */
export function fromOriginOf<Result>(event: HttpEvent, edgeKey: string | undefined, run: () => Result): Result {
  const origin = {
    sourceIp: sourceIpOf(event),
    userAgent: header(event, 'user-agent'),
    country: viewerCountry(event, edgeKey),
  }
  return origins.run(origin, run)
}
