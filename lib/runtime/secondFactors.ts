import { createKmsClient } from '../adapters/kms/kmsClient.ts'
import { type AllAuthenticatorDeps, createAuthenticatorDeps } from './authenticatorDeps.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { relyingPartyFromEnvironment } from './relyingParty.ts'

/** Everything that verifying second factors needs. Throws Error where the environment is not complete. */
export function authenticatorDepsFromEnvironment(): AllAuthenticatorDeps {
  const { AWS_REGION, CUSTOMER_KEY_ID } = environment
  return createAuthenticatorDeps({
    documents,
    table: accountsTable(),
    kms: createKmsClient({ region: AWS_REGION }),
    keyId: CUSTOMER_KEY_ID,
    relyingParty: relyingPartyFromEnvironment(),
    clock,
  })
}
