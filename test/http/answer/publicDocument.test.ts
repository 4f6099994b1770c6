import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { answerPublicDocument, publicDocument } from '../../../lib/http/answer/publicDocument.ts'
import { pipeline } from '../../../lib/http/endpoint/pipeline.ts'
import { eventOf, fakeDeps, lambdaContext } from '../call.ts'

const value = { openapi: '3.1.1', words: 'cancel '.repeat(200) }
const document = publicDocument(value)
const handler = pipeline(fakeDeps().deps, { handle: async (event) => answerPublicDocument(document, event) })

/** The answer as API Gateway would send it: bytes and headers. */
async function get(headers: Record<string, string> = {}) {
  const {
    statusCode,
    body = '',
    isBase64Encoded,
    headers: sent = {},
  } = await handler(eventOf({ headers }), lambdaContext)
  return { statusCode, headers: sent, bytes: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') }
}

const decoders = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  none: (bytes: Buffer) => bytes,
} as const

describe('A public document', () => {
  it.each([
    ['nothing', undefined, 'none'],
    ['gzip', 'gzip', 'gzip'],
    ['gzip and brotli', 'gzip, deflate, BR', 'br'],
    ['brotli by a weight', 'gzip;q=1.0, br;q=0.5', 'br'],
    ['gzip, and refuses brotli', 'br;q=0, gzip;q=0.001', 'gzip'],
    ['only what is not offered', 'zstd, gzip;q=0.000', 'none'],
  ] as const)('is sent to a client that accepts %s in the best of it', async (_, accepted, expected) => {
    const answer = await get(accepted === undefined ? {} : { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding']).toBe(expected === 'none' ? undefined : expected)
    expect(JSON.parse(decoders[expected](answer.bytes).toString())).toEqual(value)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, max-age=300',
      vary: 'accept-encoding',
    })
  })

  it('has one ETag for every encoding, and another one for another value', async () => {
    const etags = [await get(), await get({ 'accept-encoding': 'gzip' })].map(({ headers }) => headers.etag)
    expect(etags).toEqual([document.etag, document.etag])
    expect(publicDocument({ ...value, openapi: '3.1.2' }).etag).not.toBe(document.etag)
  })

  it.each([
    ['its ETag', document.etag],
    ['its ETag as a strong one, among others', `"old", ${document.etag.slice(2)}`],
    ['any', '*'],
  ])('is 304 without a body where If-None-Match names %s', async (_, tags) => {
    const { statusCode, bytes, headers } = await get({ 'if-none-match': tags, 'accept-encoding': 'gzip' })
    expect({ statusCode, bytes: bytes.length }).toEqual({ statusCode: 304, bytes: 0 })
    expect(headers).toMatchObject({
      etag: document.etag,
      'cache-control': 'public, max-age=300',
      vary: 'accept-encoding',
    })
    expect(headers).not.toHaveProperty('content-type')
  })

  it('is sent where If-None-Match names another one', async () => {
    expect((await get({ 'if-none-match': 'W/"old"' })).statusCode).toBe(200)
  })
})
