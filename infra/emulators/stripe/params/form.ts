import qs from 'qs'
import { isRecord } from '../wire/wire.ts'

/** Nested text parameters as Stripe reads them from a form body or a query string. */
export type RawParams = Record<string, unknown>

/** Parses `items[0][price]=x&metadata[k]=v`. Depth 10 and arrays of 1000 are far above what any covered endpoint takes. */
export function parseForm(text: string): RawParams {
  const parsed: unknown = qs.parse(text, { depth: 10, arrayLimit: 1000, parameterLimit: 5000 })
  return isRecord(parsed) ? parsed : {}
}

/** The inverse, with indexed arrays as the SDK sends them. */
export function formatForm(params: object): string {
  return qs.stringify(params, { arrayFormat: 'indices' })
}
