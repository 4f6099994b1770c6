import * as z from 'zod'
import type { Contract } from '../../lib/http/contract.ts'
import { auditEntryResource } from '../../lib/organizations/auditLogResource.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'
import { userResource } from '../../lib/users/userResource.ts'

const ownData = z
  .strictObject({
    exported_at: z.iso.datetime(),
    user: userResource,
    organizations: z.array(organizationResource),
    /** What was allowed to clients that are not our own. */
    consents: z.array(
      z.strictObject({ client_id: z.string(), scopes: z.array(z.string()), granted_at: z.iso.datetime() }),
    ),
    audit_entries: z.array(auditEntryResource.extend({ organization_id: z.uuid() })),
  })
  .meta({ id: 'OwnData' })

/** GET /api/users/me/export: as a file to keep. */
export const contract = {
  responses: { 200: ownData },
  answerHeaders: { 200: ['Content-Disposition'] },
} as const satisfies Contract
