import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { notificationDepsFromEnvironment } from '../../lib/runtime/activity.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { readNotifications } from '../../lib/users/activity/notifications.ts'
import { contract } from './contract.ts'

const deps = notificationDepsFromEnvironment()

/** GET /api/users/me/notifications: which mails the caller wants. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller }) => {
  return { status: 200, body: await readNotifications(deps, caller) }
})
