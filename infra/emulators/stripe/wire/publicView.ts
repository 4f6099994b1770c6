import { words } from '../params/words.ts'
import { isRecord } from './wire.ts'

const ofEveryIntent = words(
  'id object automatic_payment_methods cancellation_reason client_secret created description livemode',
  'next_action payment_method payment_method_configuration_details payment_method_types status',
)

/** The members of an answer to a publishable key, by object. Metadata and the customer are never among them. */
const shown: Record<string, readonly string[]> = {
  setup_intent: [...ofEveryIntent, 'last_setup_error', 'usage'],
  payment_intent: [
    ...ofEveryIntent,
    ...words(
      'amount canceled_at capture_method confirmation_method currency last_payment_error processing',
      'receipt_email setup_future_usage shipping source',
    ),
  ],
  payment_method: words('id object allow_redisplay billing_details card created customer livemode type'),
}

/** An object as an answer to a publishable key shows it (https://docs.stripe.com/metadata, docs.stripe.com/js/payment_intents). */
export function publicView(object: object): object {
  const name = 'object' in object ? String(object.object) : ''
  const members = shown[name]
  const entries = Object.entries(object).filter(([member]) => members === undefined || members.includes(member))
  return Object.fromEntries(entries.map(([member, value]) => [member, viewOf(member, value)]))
}

function viewOf(member: string, value: unknown): unknown {
  if (!isRecord(value)) return value
  const { fingerprint: _fingerprint, ...card } = value
  return publicView(member === 'card' ? card : value)
}
