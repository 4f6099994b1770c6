import { errorOf } from '../../lib/http/answer/errorBody.ts'
import { conditionalChange } from '../../lib/http/answer/etag.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { profileUpdate, userResource } from '../../lib/users/account/userResource.ts'

/** PATCH /api/users/me */
export const contract = {
  headers: conditionalChange,
  body: profileUpdate,
  responses: {
    200: userResource,
    409: errorOf('username_already_exists'),
  },
  answerHeaders: { 200: ['ETag'] },
} as const satisfies Contract
