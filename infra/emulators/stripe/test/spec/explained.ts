/** Since which version Stripe has what the file lacks, or why the file lacks it though Stripe sends it. */
type Reason =
  | '2026-09-30.endive or newer'
  | "hidden in the file, shown by Stripe's own fixtures"
  | 'between Stripe.js and the bank, no operation of the API'
  | "of Stripe's command line, no operation of the file"

/** Members that an answer may have though a file of Stripe's does not name them, by the object or hash that has them. */
const explainedMembers: Record<string, Record<string, Reason>> = {
  subscription: { status_details: '2026-09-30.endive or newer' },
  subscription_item: {
    current_trial: '2026-09-30.endive or newer',
    plan: "hidden in the file, shown by Stripe's own fixtures",
  },
  subscription_schedule: { pause_schedules: '2026-09-30.endive or newer' },
  'phases items': { plan: "hidden in the file, shown by Stripe's own fixtures" },
  'trial_settings end_behavior': { billing_cycle_anchor: '2026-09-30.endive or newer' },
  recurring: { trial_period_days: "hidden in the file, shown by Stripe's own fixtures" },
  product: {
    tax_details: '2026-09-30.endive or newer',
    type: "hidden in the file, shown by Stripe's own fixtures",
  },
  payment_intent: {
    payment_record: '2026-09-30.endive or newer',
    source: "hidden in the file, shown by Stripe's own fixtures",
  },
  charge: { source: "hidden in the file, shown by Stripe's own fixtures" },
  'payment_method_details card': { electronic_commerce_indicator: '2026-09-30.endive or newer' },
  dispute: { intended_submission_method: '2026-09-30.endive or newer' },
  business_profile: { specified_commercial_transactions_act_url: '2026-09-30.endive or newer' },
  'settings payments': {
    statement_descriptor_prefix_kana: '2026-09-30.endive or newer',
    statement_descriptor_prefix_kanji: '2026-09-30.endive or newer',
  },
  evidence_details: { submission_method: '2026-09-30.endive or newer' },
}

/** Operations that a file may lack. */
export const explainedOperations: Record<string, Reason> = {
  'POST /v1/subscriptions/*/pause': '2026-09-30.endive or newer',
  // The end of a 3-D Secure step, of a SetupIntent and of a PaymentIntent.
  'POST /v1/*/*/authenticate': 'between Stripe.js and the bank, no operation of the API',
  'POST /v1/confirmation_tokens': 'between Stripe.js and the bank, no operation of the API',
  'POST /v1/events/*/retry': "of Stripe's command line, no operation of the file",
}

/** Names under which the table may explain a member: of the object that has it, or of the hash, with the hash around it and without. */
function namesOf(path: string, value: unknown): string[] {
  const object = typeof value === 'object' && value !== null && 'object' in value ? String(value.object) : undefined
  if (object !== undefined) return [object]
  const parts = path.split('/').filter((part) => part !== '' && !/^\d+$/.test(part))
  return [parts.slice(-2).join(' '), parts.slice(-1).join(' ')]
}

/** Whether the table explains a member that the file does not name. */
export function isExplained(path: string, value: unknown, member: string): boolean {
  return namesOf(path, value).some((name) => explainedMembers[name]?.[member] !== undefined)
}
