import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { pageQuery } from '../../lib/http/request/paging.ts'
import { activityResource } from '../../lib/users/activity/activityResource.ts'

/** GET /api/users/me/activity */
export const contract = {
  query: z.object(pageQuery),
  responses: { 200: activityResource },
} as const satisfies Contract
