import { createKmsClient } from '../adapters/kms/kmsClient.ts'
import type { MailedDeps } from '../authenticators/deps.ts'
import { AuthenticatorError } from '../authenticators/errors.ts'
import { verifyPasskeySignIn } from '../authenticators/factors/signInWithPasskey.ts'
import { verifyTotp } from '../authenticators/factors/verifyTotp.ts'
import { requiredSecondFactor } from '../authenticators/listAuthenticators.ts'
import { methodsOf, type Proof } from '../authenticators/methodsOf.ts'
import { useRecoveryCode } from '../authenticators/recovery/useRecoveryCode.ts'
import type { UserId } from '../core/ids.ts'
import type { Language } from '../core/language.ts'
import type { FactorProof, SecondFactors } from '../oauth/ports.ts'
import { TooManyAttemptsError } from '../users/errors.ts'
import { type AllAuthenticatorDeps, createAuthenticatorDeps } from './authenticatorDeps.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'
import { relyingPartyFromEnvironment } from './relyingParty.ts'
import { traced } from './tracing.ts'

/** Everything that verifying second factors needs. Throws Error where the environment is not complete. */
export function authenticatorDepsFromEnvironment(): AllAuthenticatorDeps {
  const { AWS_REGION, CUSTOMER_KEY_ID } = environment
  return createAuthenticatorDeps({
    documents,
    table: accountsTable(),
    kms: traced(createKmsClient({ region: AWS_REGION })),
    keyId: CUSTOMER_KEY_ID,
    relyingParty: relyingPartyFromEnvironment(),
    clock,
  })
}

type ProofDeps = AllAuthenticatorDeps & MailedDeps

/** Verifies second factors, and returns a refusal instead of throwing it: the page shows it in the form. */
export function secondFactorsWith(deps: ProofDeps): SecondFactors {
  return {
    required: (userId) => requiredSecondFactor(deps, userId),
    verify: (userId, proof, language) =>
      orRefused(async () => methodsOf([{ kind: 'password' }, await prove(deps, { userId, language, ...proof })])),
    async verifyPasskey(response) {
      const proven = await orRefused(() => verifyPasskeySignIn(deps, { purpose: 'only_factor' }, parsed(response)))
      if ('code' in proven) return { code: 'passkey_refused' }
      return { user: proven.user, methods: methodsOf([proven.proof]) }
    },
  }
}

async function prove(
  deps: ProofDeps,
  { userId, language, factor, proof }: FactorProof & { userId: UserId; language: Language },
): Promise<Proof> {
  if (factor === 'passkey') {
    return (await verifyPasskeySignIn(deps, { purpose: 'second_factor', userId }, parsed(proof))).proof
  }
  if (factor === 'totp') await verifyTotp(deps, { userId, code: proof })
  else await useRecoveryCode(deps, { userId, code: proof, language })
  return { kind: factor }
}

async function orRefused<Result>(verify: () => Promise<Result>) {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof TooManyAttemptsError) {
      logger.info('Second factor refused', { code: error.code })
      return { code: 'too_many_attempts', retryAfterSeconds: error.retryAfterSeconds } as const
    }
    if (error instanceof AuthenticatorError && (error.code === 'code_refused' || error.code === 'passkey_refused')) {
      logger.info('Second factor refused', { code: error.code })
      return { code: error.code } as const
    }
    throw error
  }
}

/** Undefined for what is no JSON: that is no response of a browser. */
function parsed(response: string): unknown {
  try {
    return JSON.parse(response)
  } catch {
    return undefined
  }
}
