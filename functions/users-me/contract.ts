import * as z from 'zod/mini'
import { conditionalRead } from '../../lib/http/answer/etag.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { userResource } from '../../lib/users/account/userResource.ts'

/** GET /api/users/me */
export const contract = {
  scope: 'profile email',
  headers: conditionalRead,
  responses: { 200: userResource, 304: z.undefined() },
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
} as const satisfies Contract
