import * as z from 'zod/mini'
import { type AuditAction, auditActions, auditDetails } from '../../lib/organizations/auditActions.ts'
import { auditEntryResource } from '../../lib/organizations/auditLogResource.ts'

/** A sentence for each action. Kept here, so that no function's bundle carries these texts. */
const meanings = {
  'organization.created': 'A user created the organization.',
  'organization.renamed': 'The name changed.',
  'organization.sign_in_rules_changed': 'An owner changed the sign-in rules.',
  'organization.transferred': 'An owner made another member the owner.',
  'organization.gateway_changed': 'An operator changed how the organization pays.',
  'organization.throttled': 'An operator limited the requests of the organization.',
  'organization.throttle_lifted': 'An operator lifted that limit.',
  'organization.deletion_scheduled': 'The organization is going to be erased.',
  'organization.restored': 'The deletion was taken back.',
  'organization.erased': 'The organization was erased.',
  'member.invited': 'An owner invited a person.',
  'member.joined': 'A person accepted an invitation.',
  'member.role_changed': 'A member has another role.',
  'member.removed': 'A member was removed.',
  'member.left': 'A member left.',
  'member.factors_reset_approved': 'An owner approved the removal of a member’s lost factors.',
  'invitation.resent': 'An invitation was sent again.',
  'invitation.revoked': 'An owner withdrew an invitation.',
  'invitation.declined': 'A person declined an invitation.',
  'subscription.purchased': 'A product was bought.',
  'subscription.renewed': 'A new period began.',
  'subscription.status_changed': 'The subscription has another status.',
  'subscription.cancellation_scheduled': 'The subscription is going to end.',
  'subscription.resumed': 'A scheduled cancellation was taken back.',
  'subscription.canceled': 'The subscription ended.',
  'subscription.adopted': 'An operator linked a subscription of the gateway.',
  'subscription.released': 'An operator released the product.',
  'subscription.refunded': 'A payment was refunded.',
  'api_client.created': 'An API client was created.',
  'api_client.rotated': 'An API client has a new secret.',
  'api_client.scopes_changed': 'An API client has other scopes.',
  'api_client.deleted': 'An API client was deleted.',
  'webhook_endpoint.created': 'A webhook endpoint was created.',
  'webhook_endpoint.updated': 'The URL or another setting of a webhook endpoint changed.',
  'webhook_endpoint.secret_rotated': 'A webhook endpoint has a new secret.',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted.',
  'domain.added': 'A domain was added.',
  'domain.verified': 'A domain was verified.',
  'domain.lost': 'A domain was lost: its record was missing in three checks in a row.',
  'domain.membership_changed': 'It changed what a domain does for people with an address there.',
  'domain.deleted': 'A domain was deleted.',
  'sso.updated': 'The single sign-on was set up or changed.',
  'sso.deleted': 'The single sign-on was deleted.',
  'payment_method.default_changed': 'Another card is the default.',
  'payment_method.removed': 'A card was removed.',
  'details.changed': 'The billing details changed.',
  'invoice.written_off': 'An operator wrote off an unpaid invoice.',
  'user.suspended': 'An operator suspended a member’s account.',
  'user.restored': 'An operator restored a member’s account.',
  'user.signed_out': 'An operator ended the sessions of a member.',
  'user.factor_removal_scheduled': 'An operator scheduled the removal of a member’s second factors.',
  'user.factors_removed': 'A member’s second factors were removed.',
  'user.totp_removed': 'An operator removed a member’s authenticator app.',
} as const satisfies Record<AuditAction, string>

const notes = auditActions
  .map((action) => {
    const members = membersOf(action).map((name) => `\`${name}\``)
    return `- \`${action}\`: ${meanings[action]}${members.length === 0 ? '' : ` \`detail\` has ${members.join(', ')}.`}`
  })
  .join('\n')

function membersOf(action: AuditAction): string[] {
  return Object.keys(auditDetails[action].shape)
}

/** `OrganizationRenamedDetail` of `organization.renamed`. */
function nameOf(action: AuditAction): string {
  return `${action.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Detail`
}

/** The component of each action's detail. */
export const auditDetailSchemas = Object.fromEntries(
  auditActions.map((action) => {
    const description = `\`detail\` of \`${action}\` in the audit log. ${meanings[action]}`
    return [nameOf(action), documentedDetail(action, description)]
  }),
)

/** What the document says of entries beside their schema: a sentence for each action, and which detail it has. */
export function describeAuditLog(zodSchema: unknown, jsonSchema: z.core.JSONSchema.BaseSchema): void {
  if (zodSchema === auditEntryResource.shape.action) jsonSchema.description = `${jsonSchema.description}.\n\n${notes}`
  if (zodSchema === auditEntryResource) jsonSchema.allOf = auditActions.map(detailIf)
}

/** `if` and `then`, and no union by a discriminator: generated clients would refuse an entry whose action they do not know. */
function detailIf(action: AuditAction): z.core.JSONSchema.BaseSchema {
  return {
    if: { properties: { action: { const: action } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { detail: { $ref: `#/components/schemas/${nameOf(action)}` } } },
  }
}

/** A copy of an action's detail with a description. */
function documentedDetail(action: AuditAction, description: string): z.ZodMiniObject {
  return z.object(auditDetails[action].shape).register(z.globalRegistry, { description })
}
