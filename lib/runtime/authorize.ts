import { createAccounts } from '../adapters/dynamodb/account.ts'
import { createAttempts } from '../adapters/dynamodb/attempt.ts'
import { createAuthorizationCodes } from '../adapters/dynamodb/authorizationCode.ts'
import { createConsents } from '../adapters/dynamodb/consent.ts'
import { createDocumentClient } from '../adapters/dynamodb/documentClient.ts'
import { createOAuthClients } from '../adapters/dynamodb/oauthClient.ts'
import { createSessions } from '../adapters/dynamodb/session.ts'
import { argon2idPasswords } from '../adapters/passwords/argon2idPasswords.ts'
import { ids } from '../adapters/random/ids.ts'
import type { AuthorizeDeps } from '../oauth/authorize.ts'
import type { SignIn } from '../oauth/ports.ts'
import { TooManyAttemptsError, UserError } from '../users/errors.ts'
import { type SignInDeps, signIn } from '../users/signIn.ts'
import { clock } from './clock.ts'
import { environment, readEnvironment } from './environment.ts'
import { logger } from './logger.ts'

/** All that the authorization endpoint needs. Throws z.ZodError where the environment is not complete. */
export function authorizeDepsFromEnvironment(): AuthorizeDeps {
  const { AWS_REGION, ACCOUNTS_TABLE, TOKEN_ISSUER } = readEnvironment(
    environment.pick({ AWS_REGION: true, ACCOUNTS_TABLE: true, TOKEN_ISSUER: true }),
  )
  const documents = createDocumentClient({ region: AWS_REGION })
  const accounts = createAccounts(documents, ACCOUNTS_TABLE)
  const attempts = createAttempts(documents, ACCOUNTS_TABLE)
  return {
    clients: createOAuthClients(documents, ACCOUNTS_TABLE),
    codes: createAuthorizationCodes(documents, ACCOUNTS_TABLE),
    sessions: createSessions(documents, ACCOUNTS_TABLE),
    consents: createConsents(documents, ACCOUNTS_TABLE),
    accounts,
    signIn: signInWith({ accounts, attempts, passwords: argon2idPasswords, clock }),
    ids,
    clock,
    logger,
    issuer: TOKEN_ISSUER,
  }
}

/** Signing in as the pages need it: a refusal is shown in the form that was sent, so it is an outcome and no failure. */
function signInWith(deps: SignInDeps): SignIn {
  return async (credentials) => {
    try {
      const user = await signIn(deps, credentials)
      return user.id
    } catch (error) {
      if (error instanceof TooManyAttemptsError) {
        logger.info('Sign-in refused', { code: error.code })
        return { code: 'too_many_attempts', retryAfterSeconds: error.retryAfterSeconds }
      }
      if (error instanceof UserError && error.code === 'wrong_credentials') {
        logger.info('Sign-in refused', { code: error.code })
        return { code: 'wrong_credentials' }
      }
      throw error
    }
  }
}
