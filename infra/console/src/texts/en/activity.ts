import type { CancellationReason, Role, Subscription } from '../../app/types.ts'
import type { EntryFacts } from '../../organizations/entryFacts.ts'

const withCoupon = (code: string) => (code === '' ? '' : ` with the coupon ${code}`)
/** The reason of a cancellation, after its sentence. */
const because = (reason: string) => (reason === '' ? '' : ` (${reason})`)

/** The audit log. Its sentences begin with the actor: `Ada` + `bought Monitoring`. */
export const activity = {
  title: 'Activity',
  lead: 'Every change of products, money, members and details.',
  none: 'Nothing has happened yet',
  noneText: 'Purchases, invitations and other changes appear here.',
  formerMember: 'A former member',
  someApiClient: 'An API client',
  /** The same in the middle of a sentence. */
  within: { formerMember: 'a former member', someApiClient: 'an API client' },
  apiClient: (name: string) => `API client “${name}”`,
  actors: {
    user: 'A user',
    service: 'A service of the operator',
    gateway: 'The payment provider',
    operator: 'Support',
    system: 'The system',
  },
  endOfPeriod: 'the end of the period',
  /** In the sentences below; a newer role, state or field shows its own name. */
  words: {
    role: { owner: 'an owner', billing_admin: 'a billing admin', member: 'a member' } satisfies Record<Role, string>,
    status: {
      pending: 'pending',
      incomplete: 'incomplete',
      trialing: 'trialing',
      active: 'active',
      past_due: 'past due',
      unpaid: 'unpaid',
      paused: 'paused',
      canceled: 'canceled',
    } satisfies Record<Subscription['status'], string>,
    field: { name: 'name', email: 'email', address: 'address', tax_id: 'tax id' },
    reason: {
      too_expensive: 'too expensive',
      missing_features: 'features are missing',
      unused: 'not used',
      switched_service: 'uses another service now',
      other: 'another reason',
    } satisfies Record<CancellationReason, string>,
    gateway: { card: 'by card' },
  },
  byInvoice: (days: string) => `by invoice, due after ${days}`,
  sentences: {
    'organization.created': () => 'created the organization',
    'organization.renamed': ({ text }) => `renamed the organization from “${text('from')}” to “${text('to')}”`,
    'organization.transferred': ({ receiver }) => `handed the organization over to ${receiver()}`,
    'organization.gateway_changed': ({ payment }) => `changed how the organization pays: ${payment()}`,
    'invoice.written_off': () => 'wrote off an unpaid invoice',
    'organization.throttled': () => 'limited the requests to the organization for some time',
    'organization.throttle_lifted': () => 'lifted the limit on requests to the organization',
    'organization.deletion_scheduled': () => 'scheduled the deletion of the organization',
    'organization.restored': () => 'restored the organization',
    'member.invited': ({ role }) => `invited someone as ${role('role')}`,
    'member.joined': ({ role }) => `joined as ${role('role')}`,
    'member.role_changed': ({ user, role }) => `made ${user()} ${role('to')}`,
    'member.removed': ({ user }) => `removed ${user()}`,
    'member.left': () => 'left the organization',
    'member.factors_reset_approved': ({ user }) => `approved that the second factors of ${user()} are removed`,
    'invitation.resent': () => 'sent an invitation again',
    'invitation.revoked': () => 'withdrew an invitation',
    'invitation.declined': () => 'declined an invitation',
    'subscription.purchased': ({ product, text }) => `bought ${product()}${withCoupon(text('coupon_code'))}`,
    'subscription.renewed': ({ product, day }) => `renewed ${product()} until ${day('period_end')}`,
    'subscription.status_changed': ({ product, status }) =>
      `moved ${product()} from ${status('from')} to ${status('to')}`,
    'subscription.cancellation_scheduled': ({ product, day, reason }) =>
      `canceled ${product()}, which works until ${day('cancel_at')}${because(reason())}`,
    'subscription.resumed': ({ product }) => `resumed ${product()}`,
    'subscription.canceled': ({ product, reason }) => `ended ${product()}${because(reason())}`,
    'subscription.adopted': ({ product }) => `linked a subscription to ${product()}`,
    'subscription.released': ({ product }) => `released ${product()}`,
    'subscription.refunded': ({ product }) => `refunded ${product()}`,
    'payment_method.default_changed': () => 'changed the default card',
    'payment_method.removed': () => 'removed a card',
    'api_client.created': ({ text }) => `created the API client “${text('name')}”`,
    'api_client.scopes_changed': ({ apiClient }) => `changed what ${apiClient()} may do`,
    'api_client.rotated': ({ apiClient }) => `gave a new secret to ${apiClient()}`,
    'webhook_endpoint.created': ({ text }) => `added a webhook endpoint at ${text('host')}`,
    'webhook_endpoint.updated': ({ text }) => `changed the webhook endpoint at ${text('host')}`,
    'webhook_endpoint.secret_rotated': ({ text }) => `gave a new secret to the webhook endpoint at ${text('host')}`,
    'webhook_endpoint.deleted': ({ text }) => `deleted the webhook endpoint at ${text('host')}`,
    'api_client.deleted': ({ text }) => `deleted the API client “${text('name')}”`,
    'user.suspended': ({ user }) => `suspended ${user()}`,
    'user.restored': ({ user }) => `restored ${user()}`,
    'user.signed_out': ({ user }) => `signed ${user()} out everywhere`,
    'user.factor_removal_scheduled': ({ user }) => `scheduled the removal of the second factors of ${user()}`,
    'user.totp_removed': ({ user }) => `removed the authenticator app of ${user()}`,
    'user.factors_removed': ({ user }) => `removed the second factors of ${user()}`,
    'details.changed': ({ fields }) => `changed the billing details${fields() && `: ${fields()}`}`,
  } satisfies Record<string, (facts: EntryFacts) => string>,
}
