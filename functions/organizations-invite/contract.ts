import * as z from 'zod/mini'
import { errorOf } from '../../lib/http/answer/errorBody.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { repeatableRequest } from '../../lib/http/endpoint/answerOnce.ts'
import { described, organizationId } from '../../lib/http/schema.ts'
import { invitationResource } from '../../lib/organizations/members/memberResource.ts'
import { roleSchema } from '../../lib/organizations/ports.ts'
import { emailSchema } from '../../lib/users/emailKey.ts'

/** POST /api/organizations/{organization_id}/invitations. The answer is the same whether or not the email address has an account. */
export const contract = {
  path: z.object({ organization_id: organizationId() }),
  headers: repeatableRequest,
  body: z.object({
    email: described('The address to invite', emailSchema),
    role: described('The role of the person who accepts it', roleSchema),
  }),
  recentSignIn: { where: 'role', is: 'owner' },
  refusesNewFactor: true,
  responses: {
    202: invitationResource,
    403: errorOf('forbidden', 'email_not_verified'),
    409: errorOf('organization_deleting', 'request_in_progress'),
  },
  answerHeaders: { 409: ['Retry-After'] },
} as const satisfies Contract
