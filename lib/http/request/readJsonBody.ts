import jsonBodyParser from '@middy/http-json-body-parser'
import * as z from 'zod/mini'
import type { Contract, HttpEvent, Reader } from '../contract.ts'
import { ValidationError } from '../errors.ts'
import { bodyBytes, isJson, mediaType } from './request.ts'

/** The parser's error for text that is not JSON; its error about a forbidden key has no message in its cause. */
const brokenJson = z.object({ cause: z.object({ message: z.string() }) })

/** Refuses lone surrogates: JSON can spell them, UTF-8 cannot hold them, and neither can a store or another service. */
function wellFormed(key: string, value: unknown): unknown {
  if (key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())) return value
  throw new SyntaxError('lone surrogate')
}

/** The position comes from the runtime's parser; the text's length if the parser names none. */
function jsonInvalid(text: string, reason = ''): ValidationError {
  const position = / JSON at position (\d+) \(line \d+ column \d+\)$/.exec(reason)?.[1]
  const loc = ['body', position === undefined ? text.length : Number(position)]
  return new ValidationError([{ loc, msg: 'JSON decode error', type: 'json_invalid' }])
}

/** The text of UTF-8 bytes, without a byte order mark. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw jsonInvalid(bytes.toString())
  }
}

/** Accepts `__proto__` as a key: `JSON.parse` makes it an own property, and schemas drop or refuse it. */
function parseWithAnyKey(text: string): unknown {
  try {
    return JSON.parse(text, wellFormed)
  } catch {
    throw jsonInvalid(text)
  }
}

/**
 * Middleware: reads `payload` from a JSON body as FastAPI does. No body is `undefined`, and so is JSON `null`; a body of any
 * other content type stays text, which no schema of an object accepts.
 * Throws RequestError `payload_too_large`, and ValidationError `json_invalid` for text that is not JSON, not UTF-8, too deeply
 * nested, or with a lone surrogate. If the contract has no schema for a body, only its size is checked.
 */
export function readJsonBody({ body: schema }: Contract): Reader {
  const parser = jsonBodyParser<HttpEvent>({ disableContentTypeCheck: true, reviver: wellFormed })
  return {
    async before(request) {
      const bytes = bodyBytes(request.event)
      if (schema === undefined || bytes.length === 0) return
      if (!isJson(mediaType(request.event))) {
        request.event.payload = bytes.toString()
        return
      }
      const text = decode(bytes)
      const event: HttpEvent = { ...request.event, body: text, isBase64Encoded: false }
      try {
        await parser.before?.({ ...request, event })
        request.event.payload = event.body ?? undefined
      } catch (error) {
        const broken = brokenJson.safeParse(error).data
        if (broken) throw jsonInvalid(text, broken.cause.message)
        request.event.payload = parseWithAnyKey(text)
      }
    },
  }
}
