import type { Context } from '../state/context.ts'
import { defaultMethod, subscriptionOf } from './collection.ts'
import { isSent } from './collectionTerms.ts'
import { finalizeInvoice, type Invoice } from './invoices.ts'

/** Finalizes the draft of a subscription. Its payment waits for the card to be charged or, if the invoice is sent, for the customer. */
export function finalizeDraft(context: Context, draft: Invoice): Invoice {
  const subscription = subscriptionOf(context, draft)
  if (subscription === undefined || isSent(draft)) return finalizeInvoice(context, draft, { method: null, save: false })
  const save = subscription.payment_settings?.save_default_payment_method === 'on_subscription'
  return finalizeInvoice(context, draft, { method: defaultMethod(context, subscription), save })
}
