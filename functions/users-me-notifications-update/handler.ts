import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { notificationDepsFromEnvironment } from '../../lib/runtime/activity.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { changeNotifications } from '../../lib/users/activity/notifications.ts'
import { contract } from './contract.ts'

const deps = notificationDepsFromEnvironment()

/** PATCH /api/users/me/notifications: changes which mails the caller wants. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, body }) => {
  return { status: 200, body: await changeNotifications(deps, caller, body) }
})
