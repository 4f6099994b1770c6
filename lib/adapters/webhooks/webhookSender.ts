import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import * as z from 'zod/mini'
import type { SendFault, SendResult, SendWebhook, WebhookRequest } from '../../events/delivery/ports.ts'
import { checkEndpointUrl, type Destination, type EndpointUrlDeps } from '../../events/endpointUrl.ts'

/** Milliseconds for an attempt in all: resolving, connecting, sending, and the answer. */
const BUDGET = 10_000

/** How much of an answer is read, in bytes. */
const BODY_LIMIT = 1024

/**
 * Sends webhooks to servers of strangers. Each request resolves its host once, checks the addresses, and connects to what was checked. It
 * has a connection of its own without keep-alive, and neither cookies nor a proxy of the environment.
 */
export function createWebhookSender(deps: EndpointUrlDeps, { budget = BUDGET } = {}): SendWebhook {
  return async (request) => {
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), budget)
    const late = new Promise<'late'>((resolve) => abort.signal.addEventListener('abort', () => resolve('late')))
    try {
      const check = await Promise.race([checkEndpointUrl(request.url, deps), late])
      if (check === 'late') return notAnswered('timeout')
      return check.kind === 'refused' ? notAnswered(check.fault) : await exchange(check, request, abort.signal)
    } finally {
      clearTimeout(timer)
    }
  }
}

async function exchange(to: Destination, { headers, body }: WebhookRequest, signal: AbortSignal): Promise<SendResult> {
  const send = to.url.protocol === 'http:' ? httpRequest : httpsRequest
  const length = String(Buffer.byteLength(body))
  const request = send({ ...optionsFor(to, { ...headers, 'content-length': length }), signal })
  // Also after the answer has begun: an error without a listener ends the process.
  request.on('error', () => undefined)
  request.end(body)
  try {
    return await answerTo(request)
  } catch (error) {
    return notAnswered(signal.aborted ? 'timeout' : faultOf(error))
  } finally {
    request.destroy()
  }
}

/** Rejects if there is no answer. The status counts even if the rest of the body is cut off or late. */
function answerTo(request: ClientRequest): Promise<SendResult> {
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
        const body = Buffer.concat(chunks).subarray(0, BODY_LIMIT).toString('utf8')
        resolve({ kind: 'answered', status: answer.statusCode ?? 0, body })
      }
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length >= BODY_LIMIT) end()
      })
      answer.on('error', end)
      answer.on('close', end)
    })
  })
}

/** `host` is an address, so nothing is looked up again. The certificate is checked for the name. */
function optionsFor({ url, address }: Destination, headers: Readonly<Record<string, string>>): RequestOptions {
  const isLiteral = url.hostname === address || url.hostname === `[${address}]`
  return {
    method: 'POST',
    host: address,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host },
    // The shared agent keeps connections alive, and may use a proxy of the environment.
    agent: false,
    ...(!isLiteral && { servername: url.hostname }),
  }
}

function notAnswered(fault: SendFault): SendResult {
  return { kind: 'not_answered', fault }
}

/** Errors of Node have codes: `HPE_` of its HTTP parser, these of certificates, and those of the system of sockets. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|UNSPECIFIED)/

const withCode = z.object({ code: z.string() })

function faultOf(error: unknown): SendFault {
  const code = withCode.safeParse(error).data?.code
  if (code === undefined || code.startsWith('HPE_')) return 'bad_answer'
  return CERTIFICATE.test(code) ? 'bad_certificate' : 'connection_failed'
}
