import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { HttpResult } from '../contract.ts'
import { header } from '../request/request.ts'
import { securityHeaders } from './answer.ts'

/** A document that changes with a release only, ready to be answered in each encoding. */
interface PublicDocument {
  /** Weak (RFC 9110 §8.8.1): the same for every encoding. */
  readonly etag: string
  readonly identity: Buffer
  /** Compressed at the first request for it: a document is read rarely, and its function starts more often than it is read. */
  readonly compressed: (encoding: Encoding) => Buffer
}

type Encoding = 'br' | 'gzip'

/** The best first. Brotli's own default takes ten times as long, for a tenth less. */
const encoders = {
  br: (text: Buffer) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: Buffer) => gzipSync(text),
} as const satisfies Record<Encoding, (text: Buffer) => Buffer>
const encodings = ['br', 'gzip'] as const

/** How long a client may use a document without asking again, in seconds. */
const MAX_AGE_SECONDS = 300

/** Writes a JSON value down once, for every answer. */
export function publicDocument(value: unknown): PublicDocument {
  const identity = Buffer.from(JSON.stringify(value))
  const done = new Map<Encoding, Buffer>()
  return {
    etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    identity,
    compressed(encoding) {
      const bytes = done.get(encoding) ?? encoders[encoding](identity)
      done.set(encoding, bytes)
      return bytes
    },
  }
}

/**
 * Answers the document: 304 if the caller has it already (RFC 9110 §13.1.2), else 200, compressed if the caller accepts that. Unlike
 * every other answer it may be cached, for it is the same for everyone.
 */
export function answerPublicDocument(document: PublicDocument, event: APIGatewayProxyEventV2): HttpResult {
  const headers = {
    ...securityHeaders,
    'cache-control': `public, max-age=${MAX_AGE_SECONDS}`,
    etag: document.etag,
    vary: 'accept-encoding',
  }
  if (matches(header(event, 'if-none-match'), document.etag)) return { statusCode: 304, headers, body: '' }
  const ok = { statusCode: 200, headers: { 'content-type': 'application/json', ...headers } }
  const encoding = encodingFor(header(event, 'accept-encoding'))
  if (encoding === undefined) return { ...ok, body: document.identity.toString() }
  const body = document.compressed(encoding).toString('base64')
  return { ...ok, headers: { ...ok.headers, 'content-encoding': encoding }, body, isBase64Encoded: true }
}

/** Compares weakly, as `If-None-Match` asks (RFC 9110 §13.1.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''))
}

/** The best encoding that an `Accept-Encoding` names and does not refuse by `q=0` (RFC 9110 §12.5.3); undefined for none. */
function encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
  const accepted = (acceptEncoding ?? '').split(',').flatMap((choice) => {
    const [name = '', ...parameters] = choice.split(';').map((part) => part.trim().toLowerCase())
    return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name]
  })
  return encodings.find((encoding) => accepted.includes(encoding))
}
