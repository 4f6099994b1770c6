import * as z from 'zod/mini'
import { authenticatorResource } from '../../lib/authenticators/authenticatorResource.ts'
import { providerConnectionsResource } from '../../lib/authenticators/providerConnectionResource.ts'
import type { Contract } from '../../lib/http/contract.ts'
import { described, named } from '../../lib/http/schema.ts'
import { consentResource } from '../../lib/oauth/authorize/userConsents.ts'
import { sessionResource } from '../../lib/oauth/session/listUserSessions.ts'
import { auditEntryResource } from '../../lib/organizations/auditLogResource.ts'
import { organizationResource } from '../../lib/organizations/organizationResource.ts'
import { userResource } from '../../lib/users/account/userResource.ts'
import { activityEntryResource } from '../../lib/users/activity/activityResource.ts'

const ownData = named(
  'OwnData',
  z.strictObject({
    exported_at: described('When the file was made', z.iso.datetime()),
    user: described('The profile of the user', userResource),
    organizations: described('The organizations of the user', z.array(organizationResource)),
    /** What the user allowed clients that are not our own. */
    consents: described('What the user allowed clients that are not the operator’s own', z.array(consentResource)),
    sessions: described('The sessions of the user', z.array(sessionResource)),
    authenticators: described('The authenticators of the user', z.array(authenticatorResource)),
    providers: described(
      'The accounts at OpenID providers that are connected with the account',
      providerConnectionsResource,
    ),
    /** The newest 1,000 of 90 days. */
    activity: described('The newest 1,000 entries of the last 90 days', z.array(activityEntryResource)),
    audit_entries: described(
      'What the user did in organizations',
      z.array(
        z.extend(auditEntryResource, {
          organization_id: described('The organization whose audit log has the entry', z.uuid()),
        }),
      ),
    ),
  }),
)

/** GET /api/users/me/export: as a file to keep. */
export const contract = {
  responses: { 200: ownData },
  answerHeaders: { 200: ['Content-Disposition'] },
} as const satisfies Contract
