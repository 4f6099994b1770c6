import * as z from 'zod/mini'
import { OAuthError } from '../../oauth/errors.ts'
import type { HttpEvent, Reader } from '../contract.ts'
import { bodyBytes, header, isForm } from './request.ts'

interface ClientCredentials {
  clientId: string
  clientSecret: string
}

/** Whether the client used HTTP Basic, well-formed or not. */
export function triedBasic(event: HttpEvent): boolean {
  return /^\s*basic(\s|$)/i.test(header(event, 'authorization') ?? '')
}

type FormFields = Readonly<Record<string, string | readonly string[]>>

/**
 * Middleware: reads `payload` from a form body by RFC 6749 §3.2, and client credentials from HTTP Basic, if used, into
 * `client_id` and `client_secret`. An empty value counts as left out; a repeated field becomes a list, which no schema of a string accepts.
 * Throws OAuthError `invalid_client` for ill-formed Basic credentials, `invalid_request` if the body names others as well.
 */
export function readClientForm(): Reader {
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
    const name = client_secret === undefined ? 'client_id' : 'client_secret'
    const message = 'credentials in both the header and the body'
    throw new OAuthError('invalid_request', { message, parameter: { name, fault: 'malformed' } })
  }
  return { ...fields, client_id, client_secret: credentials.clientSecret }
}

/** Form-decoded after the split at the first colon (RFC 6749 §2.3.1); `null` if ill-formed. The secret is empty for a client that has none. */
function basicCredentials(event: HttpEvent): ClientCredentials | null {
  const encoded = /^\s*basic +([A-Za-z0-9+/]+={0,2})\s*$/i.exec(header(event, 'authorization') ?? '')?.[1]
  if (encoded === undefined) return null
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const [clientId, clientSecret] = [formDecode(id), formDecode(secret)]
  return clientId && clientSecret !== null ? { clientId, clientSecret } : null
}

function formDecode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

const withoutSecret = z.looseObject({ client_id: z.string(), client_secret: z.optional(z.literal(['', null])) })

/**
 * Gives a request without a secret the empty secret. In a form always: a client that needs a secret is refused as if the secret were wrong
 * (RFC 6749 §5.2). In JSON only for a public client: for any other client the member is missing. Only a JSON request without a secret costs the
 * look-up, and an unknown client takes as long as a known client.
 */
export async function completeCredentials(
  event: HttpEvent,
  isPublicClient?: (clientId: string) => Promise<boolean>,
): Promise<void> {
  const { success, data } = withoutSecret.safeParse(event.payload)
  if (!success || triedBasic(event)) return
  if (!isForm(event) && !(await isPublicClient?.(data.client_id))) return
  event.payload = { ...data, client_secret: '' }
}

const namesClient = z.looseObject({ client_id: z.string() })

/**
 * The principal of a client's request: the client it names, known or not, at its source IP. A request that names no client is refused
 * before any store is asked, so it is not counted.
 */
export function clientAtSourceIp({ payload, requestContext }: HttpEvent): string | undefined {
  const clientId = namesClient.safeParse(payload).data?.client_id
  return clientId === undefined ? undefined : `${requestContext.http.sourceIp} ${clientId}`
}
