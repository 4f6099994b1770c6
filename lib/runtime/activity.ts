import { nameBrowser } from '../adapters/bowser/nameBrowser.ts'
import { createAccounts } from '../adapters/dynamodb/accountStore.ts'
import { createActivityLog } from '../adapters/dynamodb/activityStore.ts'
import { createCallers } from '../adapters/dynamodb/callerStore.ts'
import { createMailSettings } from '../adapters/dynamodb/mailSettingsStore.ts'
import { ids } from '../adapters/random/ids.ts'
import type { ActivityRecorder } from '../core/activity.ts'
import { requestOrigin } from '../http/endpoint/requestOrigin.ts'
import type { ListActivityDeps } from '../users/activity/listActivity.ts'
import { createActivityRecorder } from '../users/activity/recordActivity.ts'
import { clock } from './clock.ts'
import { accountsTable, documents } from './dynamodb.ts'
import { logger } from './logger.ts'

/** For noting what happens to accounts. */
export function activityRecorderFromEnvironment(): ActivityRecorder {
  const activityLog = createActivityLog(documents, accountsTable())
  return createActivityRecorder({ activityLog, origin: requestOrigin, nameBrowser, ids, clock, logger })
}

/** For listing what happened to the caller's account. */
export function listActivityDepsFromEnvironment(): ListActivityDeps {
  const table = accountsTable()
  return { callers: createCallers(documents, table), activityLog: createActivityLog(documents, table), clock }
}

/** For which mails the caller wants. */
export function notificationDepsFromEnvironment() {
  const table = accountsTable()
  return { accounts: createAccounts(documents, table), mailSettings: createMailSettings(documents, table) }
}
