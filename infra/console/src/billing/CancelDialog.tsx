import { useState } from 'react'
import type { CancellationReason, Subscription } from '../app/types.ts'
import { SelectField } from '../forms/SelectField.tsx'
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

/** In the order of the list. */
const reasons = ['too_expensive', 'missing_features', 'unused', 'switched_service', 'other'] as const

/** Asks before a subscription is canceled, and why; says until when the product works. */
export function CancelDialog({ subscription, name, onClose }: CancelDialogProps) {
  const { cancel } = useSubscriptionChanges()
  const { texts: all, format } = useLocalization()
  const texts = all.products.cancellation
  const say = useToast()
  const { status, current_period_end, action } = subscription
  const unpaid = status === 'incomplete'
  const [reason, setReason] = useState<CancellationReason | ''>('')

  async function confirm(): Promise<void> {
    const { status: result, effective_at } = await cancel(subscription.product, reason || undefined)
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
          <SelectField
            label={texts.why}
            value={reason}
            options={[['', texts.noReason], ...reasons.map((one) => [one, texts.reasons[one]] as const)]}
            onChange={setReason}
          />
        </>
      )}
    </ConfirmDialog>
  )
}
