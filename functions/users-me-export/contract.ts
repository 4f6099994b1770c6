import * as z from 'zod/mini'
import { authenticatorResource } from '../../lib/authenticators/authenticatorResource.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { named } from '../../lib/http/schema.ts'
import { consentResource } from '../../lib/oauth/authorize/userConsents.ts'
import { sessionResource } from '../../lib/oauth/session/listUserSessions.ts'
import { auditEntryResource } from '../../lib/organizations/auditLogResource.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'
import { userResource } from '../../lib/users/account/userResource.ts'
import { activityEntryResource } from '../../lib/users/activity/activityResource.ts'

const ownData = named(
  'OwnData',
  z.strictObject({
    exported_at: z.iso.datetime(),
    user: userResource,
    organizations: z.array(organizationResource),
    /** What the user allowed clients that are not our own. */
    consents: z.array(consentResource),
    sessions: z.array(sessionResource),
    authenticators: z.array(authenticatorResource),
    /** The newest 1,000 of 90 days. */
    activity: z.array(activityEntryResource),
    audit_entries: z.array(z.extend(auditEntryResource, { organization_id: z.uuid() })),
  }),
)

/** GET /api/users/me/export: as a file to keep. */
export const contract = {
  responses: { 200: ownData },
  answerHeaders: { 200: ['Content-Disposition'] },
} as const satisfies Contract
