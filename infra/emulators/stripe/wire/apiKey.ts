import { StripeFault } from './errors.ts'

/** What a request may do by its key: everything, or what Stripe.js needs in a browser. */
export type KeyKind = 'secret' | 'publishable'

/** The secret keys that are accepted if none is named; the first is shown. The second is older, and has not the shape of Stripe's keys. */
export const usualSecretKeys = ['sk_test_StripeEmulator0000000000', 'sk_test_emulator'] as const

/** The publishable keys that are accepted if none is named; the first is shown. */
export const usualPublishableKeys = ['pk_test_StripeEmulator0000000000', 'pk_test_local'] as const

/** The keys of the account. */
export interface AccountKeys {
  readonly secret: readonly string[]
  readonly publishable: readonly string[]
}

/** The kind of the key that comes as Bearer token or as the user name of Basic authentication. Throws the 401 of any other. */
export function keyKindOf(header: string | undefined, keys: AccountKeys): KeyKind {
  const [scheme = '', credentials = ''] = (header ?? '').split(' ')
  const basic =
    scheme.toLowerCase() === 'basic' ? Buffer.from(credentials, 'base64').toString().split(':')[0] : undefined
  const key = scheme.toLowerCase() === 'bearer' ? credentials : basic
  if (key !== undefined && keys.secret.includes(key)) return 'secret'
  if (key !== undefined && keys.publishable.includes(key)) return 'publishable'
  const message =
    key === undefined || key === ''
      ? "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
      : `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`
  throw new StripeFault(401, { type: 'invalid_request_error', message })
}

/** The kind of a key by its prefix, for the log; null if no key came. */
export function keyKindByPrefix(header: string | undefined): KeyKind | null {
  if (!header) return null
  return header.includes('pk_') ? 'publishable' : 'secret'
}
