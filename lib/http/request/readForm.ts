import * as z from 'zod/mini'
import type { HttpEvent } from '../contract.ts'
import { RequestError } from '../errors.ts'
import { bodyBytes, isForm } from './request.ts'

/**
 * The form that a browser posted.
 * @throws RequestError `unreadable_form` for a body that is not a form, names a field twice or does not match `schema`;
 *   `payload_too_large`
 */
export function readForm<Schema extends z.ZodMiniType>(event: HttpEvent, schema: Schema): z.output<Schema> {
  if (!isForm(event)) throw new RequestError('unreadable_form', { message: 'body is not a form' })
  const fields = [...new URLSearchParams(bodyBytes(event).toString())]
  const form = Object.fromEntries(fields)
  if (Object.keys(form).length < fields.length) throw new RequestError('unreadable_form', { message: 'repeated field' })
  const { success, data } = schema.safeParse(form)
  if (!success) throw new RequestError('unreadable_form', { message: 'fields are missing or unknown' })
  return data
}

/**
 * The query of a request that the page of another site may post; undefined if the form is one of this service's own.
 * @param read recognizes the request in the text of a form
 * @throws RequestError `unreadable_form` if the request does not fit into an address
 */
export function readPostedQuery(
  event: HttpEvent,
  read: (form: string) => string | 'too_long' | undefined,
): string | undefined {
  const query = isForm(event) ? read(bodyBytes(event).toString()) : undefined
  if (query === 'too_long') throw new RequestError('unreadable_form', { message: 'request too long for an address' })
  return query
}

const csrf = z._default(z.string(), '')
const text = z._default(z.string(), '')

/** The forms of a hosted sign-in, by their `action`: of `submitSignIn`, for every endpoint that shows them. */
export const signInForms = [
  z.object({ action: z.literal('address'), csrf, email: text }),
  z.object({ action: z.literal('login'), csrf, email: text, password: text }),
  z.object({
    action: z.literal('second_factor'),
    csrf,
    factor: z.enum(['totp', 'recovery_code', 'passkey']),
    proof: text,
  }),
  z.object({ action: z.literal('passkey'), csrf, proof: text }),
] as const

/** The forms of the sign-in to a hosted page of this service itself. `switch` signs out, to sign in with another account. */
export const hostedSignInForms = [...signInForms, z.object({ action: z.literal('switch'), csrf })] as const
