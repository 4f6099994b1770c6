import type { Subscription } from '../app/types.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useSubscriptionChanges } from './useSubscriptionChanges.ts'

interface CancelDialogProps {
  readonly subscription: Subscription
  /** The product's name. */
  readonly name: string
  readonly onClose: () => void
}

/** Asks before a subscription is canceled, and says until when the product works. */
export function CancelDialog({ subscription, name, onClose }: CancelDialogProps) {
  const { cancel } = useSubscriptionChanges()
  const { texts: all, format } = useLocalization()
  const texts = all.products.cancellation
  const say = useToast()
  const { status, current_period_end, action } = subscription
  const unpaid = status === 'incomplete'

  async function confirm(): Promise<void> {
    const { status: result, effective_at } = await cancel(subscription.product)
    const isScheduled = result === 'cancellation_scheduled' && effective_at
    say(isScheduled ? texts.doneUntil(name, format.day(effective_at)) : texts.done(name))
  }

  return (
    <ConfirmDialog title={texts.question(name)} confirm={texts.confirm} onConfirm={confirm} onClose={onClose}>
      {unpaid ? (
        <p>{texts.unpaid}</p>
      ) : (
        <>
          <p>{current_period_end ? texts.until(format.day(current_period_end)) : texts.notRenewed}</p>
          {action === 'pay_invoice' && <p>{texts.invoiceRemains}</p>}
          <p className="muted">{texts.undo}</p>
        </>
      )}
    </ConfirmDialog>
  )
}
