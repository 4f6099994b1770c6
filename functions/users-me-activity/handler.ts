import { protectedEndpoint } from '../../lib/http/endpoint/endpoint.ts'
import { fromCursor, toCursor } from '../../lib/http/request/paging.ts'
import { listActivityDepsFromEnvironment } from '../../lib/runtime/activity.ts'
import { httpDeps } from '../../lib/runtime/http.ts'
import { toActivityResource } from '../../lib/users/activity/activityResource.ts'
import { listActivity } from '../../lib/users/activity/listActivity.ts'
import { contract } from './contract.ts'

const deps = listActivityDepsFromEnvironment()

/** GET /api/users/me/activity: lists what happened to the caller's account in the last 90 days, newest first. */
export const handler = protectedEndpoint(contract, httpDeps(), async ({ caller, query }) => {
  const from = fromCursor(caller.userId, query.cursor)
  const page = await listActivity(deps, caller, { limit: query.limit, from })
  return { status: 200, body: toActivityResource(page, (position) => toCursor(caller.userId, position)) }
})
