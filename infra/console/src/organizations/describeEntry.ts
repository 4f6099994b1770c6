import type { AuditEntry } from '../app/types.ts'
import { formatDay } from '../ui/format.ts'

/** The names in the sentences: of users and API clients by their id, of products by their code. */
export interface EntryNames {
  user(id: string): string
  /** By its `id` or its `client_id`. */
  apiClient(id: string): string
  product(product: string): string
}

/** Who made a change: a name, or who acts without one. */
export function actorName({ actor }: AuditEntry, names: EntryNames): string {
  switch (actor.type) {
    case 'user':
      return actor.id === null ? 'A user' : names.user(actor.id)
    case 'client':
      return actor.id === null ? 'An API client' : names.apiClient(actor.id)
    case 'gateway':
      return 'The payment provider'
    case 'operator':
      return 'Support'
    case 'system':
      return 'The system'
  }
}

/** What was done, in a sentence that begins with the actor: `bought Monitoring`. A newer kind of change shows its own name. */
export function describeEntry({ action, target, detail }: AuditEntry, names: EntryNames): string {
  const text = (name: string) => String(detail[name] ?? '')
  const day = (name: string) => (typeof detail[name] === 'string' ? formatDay(text(name)) : 'the end of the period')
  const product = () => names.product(target)
  const payment = () => {
    if (text('to') === 'card') return 'by card'
    return text('to') === 'invoice' ? `by invoice, due after ${text('days_until_due')} days` : words(text('to'))
  }
  const sentences: Readonly<Record<string, () => string>> = {
    'organization.created': () => 'created the organization',
    'organization.renamed': () => `renamed the organization from “${text('from')}” to “${text('to')}”`,
    'organization.transferred': () => `handed the organization over to ${names.user(text('to'))}`,
    'organization.gateway_changed': () => `changed how the organization pays: ${payment()}`,
    'organization.deletion_scheduled': () => 'asked for the deletion of the organization',
    'organization.restored': () => 'took the deletion of the organization back',
    'member.invited': () => `invited someone as ${roleName(text('role'))}`,
    'member.joined': () => `joined as ${roleName(text('role'))}`,
    'member.role_changed': () => `made ${names.user(target)} ${roleName(text('to'))}`,
    'member.removed': () => `removed ${names.user(target)}`,
    'member.left': () => 'left the organization',
    'member.factors_reset_approved': () => `approved that the second factors of ${names.user(target)} are removed`,
    'invitation.revoked': () => 'withdrew an invitation',
    'subscription.purchased': () =>
      `bought ${product()}${detail.coupon_code ? ` with the coupon ${text('coupon_code')}` : ''}`,
    'subscription.renewed': () => `renewed ${product()} until ${day('period_end')}`,
    'subscription.status_changed': () => `moved ${product()} from ${words(text('from'))} to ${words(text('to'))}`,
    'subscription.cancellation_scheduled': () => `canceled ${product()}, which works until ${day('cancel_at')}`,
    'subscription.resumed': () => `resumed ${product()}`,
    'subscription.canceled': () => `ended ${product()}`,
    'subscription.adopted': () => `linked a subscription to ${product()}`,
    'subscription.released': () => `released ${product()}`,
    'subscription.refunded': () => `refunded ${product()}`,
    'payment_method.default_changed': () => 'changed the default card',
    'payment_method.removed': () => 'removed a card',
    'api_client.created': () => `created the API client “${text('name')}”`,
    'api_client.scopes_changed': () => `changed what ${names.apiClient(target)} may do`,
    'api_client.rotated': () => `gave a new secret to ${names.apiClient(target)}`,
    'api_client.deleted': () => `deleted the API client “${text('name')}”`,
    'user.suspended': () => `suspended ${names.user(target)}`,
    'user.restored': () => `restored ${names.user(target)}`,
    'user.signed_out': () => `signed ${names.user(target)} out everywhere`,
    'details.changed': () => `changed the billing details${changed(detail.changed)}`,
  }
  return sentences[action]?.() ?? words(action.replace('.', ' '))
}

const roleName = (role: string) => (role === 'owner' ? 'an owner' : `a ${words(role)}`)
const words = (code: string) => code.replaceAll('_', ' ')

function changed(names: unknown): string {
  return Array.isArray(names) && names.length > 0 ? `: ${names.map((name) => words(String(name))).join(', ')}` : ''
}
