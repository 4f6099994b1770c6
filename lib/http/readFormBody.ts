import type { MiddlewareObj } from '@middy/core'
import { OAuthError } from '../oauth/errors.ts'
import { basicCredentials, triedBasic } from './clientCredentials.ts'
import type { HttpEvent, HttpResult } from './contract.ts'
import { bodyBytes, mediaType } from './request.ts'

/** Whether the body is a form, the standard encoding of a token request. */
export function isForm(event: HttpEvent): boolean {
  return mediaType(event) === 'application/x-www-form-urlencoded'
}

type FormFields = Readonly<Record<string, string | readonly string[]>>

/**
 * Middleware: reads `payload` from a form body as RFC 6749 §3.2 has it, and client credentials from HTTP Basic, if used, into
 * `client_id` and `client_secret`. An empty value counts as left out; a repeated one becomes a list, which no schema of a string takes.
 * Throws OAuthError `invalid_client` for ill-formed Basic credentials, `invalid_request` where the body names others as well.
 */
export function readFormBody(): MiddlewareObj<HttpEvent, HttpResult> {
  return {
    before(request) {
      if (!isForm(request.event)) return
      const fields = formFields(bodyBytes(request.event).toString())
      request.event.payload = triedBasic(request.event) ? withBasic(request.event, fields) : fields
    },
  }
}

function formFields(text: string): FormFields {
  const byName = Map.groupBy(new URLSearchParams(text), ([name]) => name)
  const fields = [...byName].map(([name, pairs]) => [name, onlyOne(pairs.map(([, value]) => value))] as const)
  return Object.fromEntries(fields.filter(([, value]) => value !== ''))
}

function onlyOne(values: readonly string[]): string | readonly string[] {
  const [value = '', ...repeats] = values
  return repeats.length === 0 ? value : values
}

function withBasic(event: HttpEvent, fields: FormFields): FormFields {
  const credentials = basicCredentials(event)
  if (credentials === null) throw new OAuthError('invalid_client', { message: 'ill-formed Basic credentials' })
  const { client_id = credentials.clientId, client_secret } = fields
  if (client_secret !== undefined || client_id !== credentials.clientId) {
    throw new OAuthError('invalid_request', { message: 'credentials in both the header and the body' })
  }
  return { ...fields, client_id, client_secret: credentials.clientSecret }
}
