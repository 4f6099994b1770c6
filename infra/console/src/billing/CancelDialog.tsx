import type { Subscription } from '../app/types.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { formatDay } from '../ui/format.ts'
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
  const say = useToast()
  const { status, current_period_end, action } = subscription
  const unpaid = status === 'incomplete'

  async function confirm(): Promise<void> {
    const { status: result, effective_at } = await cancel(subscription.product)
    const until =
      result === 'cancellation_scheduled' && effective_at ? `. It works until ${formatDay(effective_at)}` : ''
    say(`${name} is canceled${until}`)
  }

  return (
    <ConfirmDialog
      title={`Cancel ${name}?`}
      confirm="Cancel subscription"
      keep="Keep it"
      onConfirm={confirm}
      onClose={onClose}
    >
      {unpaid ? (
        <p>The purchase is not finished. It ends right away, and nothing is charged.</p>
      ) : (
        <>
          <p>
            {current_period_end ? (
              <>
                It keeps working until <strong>{formatDay(current_period_end)}</strong> and is not renewed.
              </>
            ) : (
              'It is not renewed.'
            )}
          </p>
          {action === 'pay_invoice' && <p>The invoice that is open remains to be paid.</p>}
          <p className="muted">You can take this back until then.</p>
        </>
      )}
    </ConfirmDialog>
  )
}
