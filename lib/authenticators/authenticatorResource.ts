import * as z from 'zod/mini'
import { toRfc3339 } from '../core/clock.ts'
import type { AuthenticatorList } from './listAuthenticators.ts'

/** An authenticator as its user may read it. Recovery codes are one, whose uses are counted together. */
export const authenticatorResource = z
  .strictObject({
    kind: z.enum(['passkey', 'totp', 'recovery_codes']),
    /** The user's own, of a passkey. */
    name: z.nullable(z.string()),
    created_at: z.iso.datetime(),
    /** The time of the creation until the first use. */
    last_used_at: z.iso.datetime(),
  })
  .register(z.globalRegistry, { id: 'Authenticator' })

type AuthenticatorResource = z.infer<typeof authenticatorResource>

/** A user's authenticators as one list: no key, no id of a credential, and no secret. */
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
