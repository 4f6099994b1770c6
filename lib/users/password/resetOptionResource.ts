import * as z from 'zod/mini'
import { toRfc3339 } from '../../core/clock.ts'
import { described, named } from '../../http/schema.ts'
import type { ResetOption } from '../links/removableAuthenticators.ts'

/** An authenticator in the list of a reset. */
export const resetOptionResource = named(
  'ResetOption',
  z.strictObject({
    id: described('For `remove_authenticators` of the reset', z.string()),
    type: described('The kind of authenticator', z.enum(['passkey', 'totp', 'recovery_codes'])),
    name: described('The user’s name for a passkey; null for any other.', z.nullable(z.string())),
    created_at: described('When it was added', z.iso.datetime()),
    removable: described(
      'True if it was added within 14 days before the reset was asked for, or after that.',
      z.boolean(),
    ),
  }),
)

export function toResetOptionResource({ id, type, name, at, isRemovable }: ResetOption) {
  return { id, type, name, created_at: toRfc3339(at), removable: isRemovable }
}
