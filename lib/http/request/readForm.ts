import type * as z from 'zod/mini'
import type { HttpEvent } from '../contract.ts'
import { RequestError } from '../errors.ts'
import { bodyBytes, mediaType } from './request.ts'

/** Whether the body is a form, the standard encoding of a token request and of what browsers post. */
export function isForm(event: HttpEvent): boolean {
  return mediaType(event) === 'application/x-www-form-urlencoded'
}

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
