import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { repeatableRequest } from '../../lib/http/endpoint/answerOnce.ts'
import { boundedString, described, nullAsAbsent } from '../../lib/http/schema.ts'
import { organizationName, organizationResource } from '../../lib/organizations/organizationResource.ts'

/** POST /api/organizations. If `idempotency_key` is repeated, the answer is the organization that the first request created. */
export const contract = {
  headers: repeatableRequest,
  body: z.object({
    name: described('Its name', organizationName),
    idempotency_key: described(
      'As the header `Idempotency-Key`, for callers that cannot set it',
      nullAsAbsent(boundedString({ min: 1, max: 255 })),
    ),
  }),
  responses: {
    201: organizationResource,
    403: errorOf('email_not_verified'),
  },
  answerHeaders: { 201: ['ETag', 'Location'] },
} as const satisfies Contract
