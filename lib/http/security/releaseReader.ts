import type { Clock } from '../../core/clock.ts'
import { NO_REVISION } from '../../core/grant.ts'
import type { ApiClientIdentity, Identity } from '../../core/identity.ts'
import { type ApiClientId, partsOfApiClientId, userIdSchema } from '../../core/ids.ts'
import { resourceScopes } from '../../core/scopes.ts'

/** Who reads when a version is checked before traffic: the stage's canary, or a user who does not exist. */
export type ReleaseReader = ApiClientId | 'unknown_user'

/** No account has this id, nor the revision of the grant, so the first read answers 401. */
const UNKNOWN_USER = userIdSchema.parse('00000000-0000-0000-0000-000000000000')
const FAMILY = 'release-check'

/**
 * The identity of the reader for an operation. The canary reads what API clients may call, in its own organization, with the scope of the
 * operation. Its secret is not needed: only a caller with `lambda:InvokeFunction` can ask for this read, and gets what the canary may read.
 */
export function releaseReaderIdentity(
  reader: ReleaseReader,
  { scope }: { readonly scope?: string | undefined },
  clock: Clock,
): Identity | ApiClientIdentity {
  const isForClients = resourceScopes.some((one) => one === scope)
  if (reader === 'unknown_user' || scope === undefined || !isForClients) {
    return {
      userId: UNKNOWN_USER,
      clientId: FAMILY,
      familyId: FAMILY,
      securityRev: NO_REVISION,
      scope: scope ?? '',
      isFirstParty: true,
      authentication: { at: clock.now(), methods: [] },
    }
  }
  const { organizationId } = partsOfApiClientId(reader)
  return { apiClientId: reader, organizationId, familyId: FAMILY, scope, isFirstParty: false }
}
