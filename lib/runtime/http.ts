import { createIdempotencyKeys } from '../adapters/dynamodb/idempotencyKeyStore.ts'
import { createAccessTokenVerifier } from '../adapters/jose/accessTokenVerifier.ts'
import { ids } from '../adapters/random/ids.ts'
import { apiClientIdSchema } from '../core/ids.ts'
import type { HttpDeps } from '../http/contract.ts'
import type { AnswerOnceDeps } from '../http/endpoint/answerOnce.ts'
import type { ReleaseReader } from '../http/security/releaseReader.ts'
import { allowsOrigin } from './allowedOrigins.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'
import { callersFromEnvironment } from './rateLimits.ts'
import { brandingFromEnvironment } from './settings.ts'

/** For an endpoint for anyone, or for OAuth clients. */
export function openHttpDeps(): Omit<HttpDeps, 'accessTokens'> {
  return { allowsOrigin, clock, logger, ...callersFromEnvironment() }
}

/** For an endpoint that answers with pages. */
export function pageHttpDeps() {
  return { branding: brandingFromEnvironment(), clock, logger, ...callersFromEnvironment() }
}

/** For an endpoint for signed-in users. */
export function httpDeps(options: Pick<HttpDeps, 'isCountedFirst'> = {}): HttpDeps {
  return {
    ...openHttpDeps(),
    accessTokens: createAccessTokenVerifier({
      publicKeys: environment.TOKEN_PUBLIC_KEY,
      issuer: environment.TOKEN_ISSUER,
      audience: environment.TOKEN_AUDIENCE,
      clock,
    }),
    releaseReader: releaseReaderFromEnvironment(),
    ...options,
  }
}

/** @throws Error if the environment names a reader who is neither an API client nor `unknown_user` */
function releaseReaderFromEnvironment(): ReleaseReader | undefined {
  const { RELEASE_READER: reader } = environment
  if (reader === undefined || reader === 'unknown_user') return reader
  const { data: client } = apiClientIdSchema.safeParse(reader)
  if (client === undefined) throw new Error("The environment's RELEASE_READER is no API client")
  return client
}

/** In milliseconds, three seconds in all: SES accepts nearly every mail sooner. */
const waits = [50, 100, 200, 400, 800, 1600] as const

/** For answering a repeated request with the first answer. */
export function answerOnceDepsFromEnvironment(): AnswerOnceDeps {
  return { keys: createIdempotencyKeys(documents, accountsTable()), ids, clock, logger, waits }
}
