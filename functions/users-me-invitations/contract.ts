import * as z from 'zod/mini'
import type { Contract } from '../../lib/http/contract.ts'
import { pageQuery } from '../../lib/http/request/paging.ts'
import { receivedInvitationList } from '../../lib/organizations/invitations/listReceivedInvitations.ts'

/** GET /api/users/me/invitations */
export const contract = {
  query: z.object(pageQuery),
  responses: { 200: receivedInvitationList },
} as const satisfies Contract
