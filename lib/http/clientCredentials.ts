import type { HttpEvent } from './contract.ts'
import { header } from './request.ts'

/** Client credentials of HTTP Basic authentication (RFC 6749 §2.3.1). */
export interface ClientCredentials {
  clientId: string
  clientSecret: string
}

/** Whether the client tried HTTP Basic, well-formed or not. */
export function triedBasic(event: HttpEvent): boolean {
  return /^\s*basic(\s|$)/i.test(header(event, 'authorization') ?? '')
}

/** The credentials of an `Authorization: Basic` header, form-decoded after the split at the first colon; `null` if ill-formed. */
export function basicCredentials(event: HttpEvent): ClientCredentials | null {
  const encoded = /^\s*basic +([A-Za-z0-9+/]+={0,2})\s*$/i.exec(header(event, 'authorization') ?? '')?.[1]
  if (encoded === undefined) return null
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const [clientId, clientSecret] = [formDecode(id), formDecode(secret)]
  return clientId && clientSecret ? { clientId, clientSecret } : null
}

function formDecode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
