import { createClientOrigins } from '../adapters/dynamodb/oauthClientStore.ts'
import { createOriginCheck } from '../oauth/client/originCheck.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'
import { redirectPolicyFromEnvironment } from './settings.ts'

/** Whether pages of an origin may call the API. Shared by the whole process, so that the origins are read once. */
export const allowsOrigin = createOriginCheck({
  origins: createClientOrigins(documents, accountsTable()),
  clock,
  logger,
  redirectPolicy: redirectPolicyFromEnvironment(),
})
