const liveStatuses = ['trialing', 'active', 'past_due', 'unpaid', 'paused', 'incomplete']

/** What all parts of the page read, made of the answers of GET /state, /requests and /faults. Lists are oldest first. */
export function readModel(state, requests, { faults, plan }) {
  const stored = [...Object.values(state).filter(Array.isArray), requests].flat()
  const byId = new Map(stored.map((row) => [row.id, row]))
  const invoicesOf = Map.groupBy(state.invoices, (row) => row.parent?.subscription_details?.subscription)
  const deliveriesOf = Map.groupBy(state.deliveries, (row) => row.event)
  const subscriptionsOf = Map.groupBy(state.subscriptions, (row) => row.customer)
  return {
    now: state.now,
    mode: state.webhook_mode,
    violations: state.violations,
    versions: state.foreign_versions,
    customers: [...state.customers, ...state.deleted_customers],
    subscriptions: state.subscriptions,
    invoices: state.invoices,
    events: state.events,
    endpoints: state.webhook_endpoints,
    undelivered: state.deliveries.filter((row) => !row.done),
    steps: [...state.payment_intents, ...state.setup_intents].filter((row) => row.status === 'requires_action'),
    requests,
    faults,
    plan,
    byId,
    invoicesOf: (id) => invoicesOf.get(id) ?? [],
    deliveriesOf: (id) => deliveriesOf.get(id) ?? [],
    subscriptionsOf: (id) => subscriptionsOf.get(id) ?? [],
    customerName: (id) => byId.get(id)?.name || byId.get(id)?.email || id || '–',
  }
}

/** Whether an invoice that was sent is open past its due date. */
export function isOverdue({ status, due_date: due }, now) {
  return status === 'open' && due !== null && due <= now
}

/** Whether an invoice waits for money from outside of Stripe: true if it was sent and is open or written off. */
export function paidByTransfer({ collection_method: method, status }) {
  return method === 'send_invoice' && ['open', 'uncollectible'].includes(status)
}

export function isLive(subscription) {
  return liveStatuses.includes(subscription.status)
}
