import * as z from 'zod/mini'
import { toRfc3339 } from '../core/clock.ts'
import { described, named } from '../http/schema.ts'
import type { AuthenticatorList } from './listAuthenticators.ts'

/** An authenticator as shown to its user. All recovery codes form a single entry, which counts their uses together. */
export const authenticatorResource = named(
  'Authenticator',
  z.strictObject({
    kind: described(
      'The kind of authenticator; all recovery codes are one entry',
      z.enum(['passkey', 'totp', 'recovery_codes']),
    ),
    /** The user's name for it, if it is a passkey. */
    name: described('The user’s name for a passkey; null for any other', z.nullable(z.string())),
    created_at: described('When it was added', z.iso.datetime()),
    /** The time of creation until the first use. */
    last_used_at: described('When it was last used; until the first use, when it was added', z.iso.datetime()),
  }),
)

type AuthenticatorResource = z.infer<typeof authenticatorResource>

/** A user's authenticators as a list: no key, no credential id, and no secret. */
export function toAuthenticatorResources({ passkeys, totp, recoveryCodes }: AuthenticatorList) {
  return [
    ...passkeys.map((passkey) => resourceOf('passkey', passkey.name, passkey)),
    ...(totp ? [resourceOf('totp', null, totp)] : []),
    ...(recoveryCodes ? [resourceOf('recovery_codes', null, recoveryCodes)] : []),
  ]
}

function resourceOf(
  kind: AuthenticatorResource['kind'],
  name: string | null,
  { createdAt, lastUsedAt }: { readonly createdAt: number; readonly lastUsedAt: number },
): AuthenticatorResource {
  return { kind, name, created_at: toRfc3339(createdAt), last_used_at: toRfc3339(lastUsedAt) }
}
