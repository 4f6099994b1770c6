import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import * as z from 'zod/mini'
import type { RequestFault } from '../../core/requestFault.ts'
import { checkEndpointUrl, type Destination, type EndpointUrlDeps } from '../../events/endpointUrl.ts'

export interface OutboundRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

export type OutboundAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: IncomingHttpHeaders
      readonly body: Buffer
      /** False if the body was longer than the limit, was cut off, or came too late. */
      readonly isWhole: boolean
    }
  | { readonly kind: 'not_answered'; readonly fault: RequestFault }

export interface RequestLimits {
  /** Milliseconds for a request in all: resolving, connecting, sending, and the answer. */
  readonly budget: number
  /** How much of an answer is read, in bytes. */
  readonly bodyLimit: number
}

/**
 * Sends requests to servers of strangers. Each request resolves its host once, checks the addresses, and connects to what was checked. It
 * has a connection of its own without keep-alive, and neither cookies nor a proxy of the environment. It follows no redirect.
 */
export function createCheckedRequest(deps: EndpointUrlDeps, { budget, bodyLimit }: RequestLimits) {
  return async (request: OutboundRequest): Promise<OutboundAnswer> => {
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), budget)
    const late = new Promise<'late'>((resolve) => abort.signal.addEventListener('abort', () => resolve('late')))
    try {
      const check = await Promise.race([checkEndpointUrl(request.url, deps), late])
      if (check === 'late') return notAnswered('timeout')
      if (check.kind === 'refused') return notAnswered(check.fault)
      return await exchange(check, request, { bodyLimit, signal: abort.signal })
    } finally {
      clearTimeout(timer)
    }
  }
}

async function exchange(
  to: Destination,
  { method, headers, body = '' }: OutboundRequest,
  { bodyLimit, signal }: { bodyLimit: number; signal: AbortSignal },
): Promise<OutboundAnswer> {
  const send = to.url.protocol === 'http:' ? httpRequest : httpsRequest
  const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const request = send({ ...optionsFor(to, method, { ...headers, ...length }), signal })
  // Also after the answer has begun: an error without a listener ends the process.
  request.on('error', () => undefined)
  request.end(body)
  try {
    return await answerTo(request, bodyLimit)
  } catch (error) {
    return notAnswered(signal.aborted ? 'timeout' : faultOf(error))
  } finally {
    request.destroy()
  }
}

/** Rejects if there is no answer. The status counts even if the rest of the body is cut off or late. */
function answerTo(request: ClientRequest, bodyLimit: number): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const closed = () => reject(new Error('closed without an answer'))
    request.on('error', reject).on('close', closed)
    // Without this listener Node closes the connection in silence.
    request.on('upgrade', () => reject(new Error('upgraded')))
    request.on('response', (answer) => {
      request.off('error', reject).off('close', closed)
      const end = () => {
        const body = Buffer.concat(chunks).subarray(0, bodyLimit)
        const isWhole = answer.complete && length <= bodyLimit
        resolve({ kind: 'answered', status: answer.statusCode ?? 0, headers: answer.headers, body, isWhole })
      }
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > bodyLimit) end()
      })
      answer.on('error', end)
      answer.on('close', end)
    })
  })
}

/** `host` is an address, so nothing is looked up again. The certificate is checked for the name. */
function optionsFor(
  { url, address }: Destination,
  method: string,
  headers: Readonly<Record<string, string>>,
): RequestOptions {
  const isLiteral = url.hostname === address || url.hostname === `[${address}]`
  return {
    method,
    host: address,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host },
    // The shared agent keeps connections alive, and may use a proxy of the environment.
    agent: false,
    ...(!isLiteral && { servername: url.hostname }),
  }
}

function notAnswered(fault: RequestFault): OutboundAnswer {
  return { kind: 'not_answered', fault }
}

/** Errors of Node have codes: `HPE_` of its HTTP parser, these of certificates, and those of the system of sockets. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|UNSPECIFIED)/

const withCode = z.object({ code: z.string() })

function faultOf(error: unknown): RequestFault {
  const code = withCode.safeParse(error).data?.code
  if (code === undefined || code.startsWith('HPE_')) return 'bad_answer'
  return CERTIFICATE.test(code) ? 'bad_certificate' : 'connection_failed'
}
