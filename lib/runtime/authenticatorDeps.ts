import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createAuthenticators } from '../adapters/dynamodb/authenticatorStore.ts'
import { createChallenges } from '../adapters/dynamodb/challengeStore.ts'
import { createGuessCounts } from '../adapters/dynamodb/guessCountStore.ts'
import type { createDocumentClient } from '../adapters/dynamodb/kit/documentClient.ts'
import { createPasskeys } from '../adapters/dynamodb/passkeyStore.ts'
import { createProviderConnections } from '../adapters/dynamodb/providerConnectionStore.ts'
import { createRecoveryCodeStore } from '../adapters/dynamodb/recoveryCodeStore.ts'
import { createTotpAuthenticators } from '../adapters/dynamodb/totpStore.ts'
import { createTotpCipher } from '../adapters/kms/contextCipher.ts'
import type { createKmsClient } from '../adapters/kms/kmsClient.ts'
import { ids } from '../adapters/random/ids.ts'
import { createTotp } from '../adapters/totp/totp.ts'
import { createWebAuthn, type RelyingParty } from '../adapters/webauthn/webAuthn.ts'
import type { ConnectedProviderDeps, PasskeyDeps, RecoveryCodeDeps, TotpDeps } from '../authenticators/deps.ts'
import type { Clock } from '../core/clock.ts'

/** For making and using passkeys, TOTP and recovery codes, and for disconnecting providers. */
export type AllAuthenticatorDeps = PasskeyDeps &
  TotpDeps &
  RecoveryCodeDeps &
  Pick<ConnectedProviderDeps, 'connections'>

/**
 * @param table `accounts`
 * @param keyId the KMS key that encrypts TOTP secrets
 * @param relyingParty authenticator apps also show its name, as the issuer
 */
export function createAuthenticatorDeps({
  documents,
  table,
  kms,
  keyId,
  relyingParty,
  clock,
}: {
  documents: ReturnType<typeof createDocumentClient>
  table: string
  kms: ReturnType<typeof createKmsClient>
  keyId: string
  relyingParty: RelyingParty
  clock: Clock
}): AllAuthenticatorDeps {
  return {
    accounts: createAccounts(documents, table),
    authenticators: createAuthenticators(documents, table),
    challenges: createChallenges(documents, table),
    passkeys: createPasskeys(documents, table),
    connections: createProviderConnections(documents, table),
    recoveryCodes: createRecoveryCodeStore(documents, table),
    totpAuthenticators: createTotpAuthenticators(documents, table),
    totpCipher: createTotpCipher({ client: kms, keyId }),
    totp: createTotp(relyingParty.name),
    webAuthn: createWebAuthn(relyingParty),
    guesses: createGuessCounts(documents, table),
    clock,
    ids,
  }
}
