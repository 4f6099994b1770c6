import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createChallenges } from '../adapters/dynamodb/challengeStore.ts'
import { createPasskeys } from '../adapters/dynamodb/passkeyStore.ts'
import { createPendingSignIns } from '../adapters/dynamodb/pendingSignInStore.ts'
import { ids } from '../adapters/random/ids.ts'
import { createWebAuthn } from '../adapters/webauthn/webAuthn.ts'
import { beginPasskeySignIn } from '../authenticators/factors/signInWithPasskey.ts'
import { requiredSecondFactor } from '../authenticators/listAuthenticators.ts'
import type { BeginPasskeyDeps } from '../signIn/beginPasskey.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'
import { relyingPartyFromEnvironment } from './relyingParty.ts'

/** Everything that options for a passkey need. Throws Error where the environment is not complete. */
export function beginPasskeyDepsFromEnvironment(): BeginPasskeyDeps & { logger: typeof logger } {
  const table = accountsTable()
  const deps = {
    accounts: createAccounts(documents, table),
    authenticators: createAuthenticators(documents, table),
    challenges: createChallenges(documents, table),
    passkeys: createPasskeys(documents, table),
    webAuthn: createWebAuthn(relyingPartyFromEnvironment()),
    clock,
    ids,
  }
  return {
    ...deps,
    logger,
    pendingSignIns: createPendingSignIns(documents, table),
    async passkeyOptions(userId) {
      const isSecond = userId !== undefined && (await requiredSecondFactor(deps, userId)).includes('passkey')
      return beginPasskeySignIn(deps, isSecond ? { purpose: 'second_factor', userId } : { purpose: 'only_factor' })
    },
  }
}
