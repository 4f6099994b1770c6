import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { organizationId } from '../../lib/http/schema.ts'
import { membersResource } from '../../lib/organizations/members/memberResource.ts'

/** GET /api/organizations/{organization_id}/members. If the caller is no owner, `email` and `has_second_factor` are `null`, and there are no invitations. */
export const contract = {
  scope: 'members:read',
  forServiceClients: true,
  path: z.object({ organization_id: organizationId() }),
  responses: { 200: membersResource },
} as const satisfies Contract
