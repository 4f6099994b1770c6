import { createIdempotencyKeys } from '../adapters/dynamodb/idempotencyKeyStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { AnswerOnceDeps } from '../http/endpoint/answerOnce.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'

/** Three seconds in all: longer than nearly every mail takes to be accepted. */
const waits = [50, 100, 200, 400, 800, 1600] as const

/** Keys of requests in the table `accounts`. Throws Error where the environment does not name it. */
export function answerOnceDepsFromEnvironment(): AnswerOnceDeps {
  return { keys: createIdempotencyKeys(documents, accountsTable()), ids, clock, logger, waits }
}
