import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { chooseLanguage, type Language } from '../../core/language.ts'
import { RequestError } from '../errors.ts'

/**
 * The value of the request header with this name in lower case; `undefined` if it was not sent. API Gateway lower-cases names and joins
 * repeated headers with a comma; events written by hand may do neither.
 */
export function header(event: Pick<APIGatewayProxyEventV2, 'headers'>, name: string): string | undefined {
  const { headers = {} } = event
  if (Object.hasOwn(headers, name)) return headers[name]
  const written = Object.keys(headers).find((key) => key.length === name.length && key.toLowerCase() === name)
  return written === undefined ? undefined : headers[written]
}

/** The media type of the body in lower case, without its parameters; `''` if none was sent. */
export function mediaType(event: Pick<APIGatewayProxyEventV2, 'headers'>): string {
  const [type = ''] = (header(event, 'content-type') ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

/** Whether a media type announces JSON as FastAPI reads it: `application/json` or `application/…+json`. */
export function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/[^\s/,]+\+json$/.test(type)
}

/** Whether the body is a form, the standard encoding of a token request and of what browsers post. */
export function isForm(event: Pick<APIGatewayProxyEventV2, 'headers'>): boolean {
  return mediaType(event) === 'application/x-www-form-urlencoded'
}

/**
 * The language for the pages and mails that a request causes.
 * @param uiLocales the `ui_locales` of its authorization request; they take precedence over the header
 */
export function languageOf(event: Pick<APIGatewayProxyEventV2, 'headers'>, uiLocales?: string): Language {
  return chooseLanguage({ uiLocales, acceptLanguage: header(event, 'accept-language') })
}

/** The client's network, as `clientNetwork` found it: an IPv4 address, or the /64 of an IPv6 address. */
export function sourceIpOf({ requestContext }: Pick<APIGatewayProxyEventV2, 'requestContext'>): string {
  return requestContext.http.sourceIp
}

/** Limits for clients' requests and for Stripe's events. An event holds a whole object; the largest are far below the limit. */
const maxBytes = { payload_too_large: 32 * 1024, event_too_large: 1024 * 1024 } as const

/**
 * The body as it was sent, empty if there is none.
 * @throws RequestError with the code `tooLarge`: `payload_too_large` over 32 KiB, `event_too_large` over 1 MiB
 */
export function bodyBytes(
  event: Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>,
  tooLarge: keyof typeof maxBytes = 'payload_too_large',
): Buffer {
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  if (bytes.length > maxBytes[tooLarge]) throw new RequestError(tooLarge)
  return bytes
}

/** Whether the header `accept` names a media type. Wildcards name none. */
export function accepts(event: Pick<APIGatewayProxyEventV2, 'headers'>, mediaType: string): boolean {
  const named = header(event, 'accept')
    ?.split(',')
    .map((range) => range.split(';')[0]?.trim().toLowerCase())
  return named?.includes(mediaType) ?? false
}
