import { useState } from 'react'
import type { PricedProduct, Subscription } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Row } from '../ui/Row.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { CancelDialog } from './CancelDialog.tsx'
import { actionsOf, describeSubscription } from './describeSubscription.ts'
import { PayInvoiceLink } from './PayInvoiceLink.tsx'
import { PayPanel } from './PayPanel.tsx'
import { priceText, productIcons, productName } from './productLook.ts'
import { usePayments } from './usePayments.ts'
import { useSubscriptionChanges } from './useSubscriptionChanges.ts'

interface SubscriptionRowProps {
  readonly subscription: Subscription
  readonly products: readonly PricedProduct[]
}

/** One subscription: its state, until when, and what can be done about it. */
export function SubscriptionRow({ subscription, products }: SubscriptionRowProps) {
  const { organization } = useOrganization()
  const { pay } = usePayments()
  const { resume } = useSubscriptionChanges()
  const [open, setOpen] = useState<'cancel' | 'pay'>()
  const action = useAction()
  const say = useToast()
  const { product } = subscription
  const name = productName(products, product)
  const priced = products.find((one) => one.product === product)
  const { badge, tone, line } = describeSubscription(subscription)
  const actions = actionsOf(subscription, organization.role)

  async function start(work: () => Promise<unknown>, done: string): Promise<void> {
    if (await action.run(work)) say(done)
  }

  return (
    <Row
      icon={productIcons[product]}
      title={name}
      badges={<Badge tone={tone}>{badge}</Badge>}
      error={action.error}
      actions={
        <>
          {actions.includes('confirm') && (
            <Button
              kind="primary"
              running={action.running}
              label={`Confirm payment of ${name}`}
              onClick={() => void start(() => pay(product), `${name} is paid`)}
            >
              Confirm payment
            </Button>
          )}
          {actions.includes('pay') && open !== 'pay' && (
            <Button kind="primary" label={`Pay now for ${name}`} onClick={() => setOpen('pay')}>
              Pay now
            </Button>
          )}
          {actions.includes('pay invoice') && subscription.hosted_invoice_url && (
            <PayInvoiceLink address={subscription.hosted_invoice_url} what={name} />
          )}
          {actions.includes('resume') && (
            <Button
              running={action.running}
              label={`Resume ${name}`}
              onClick={() => void start(() => resume(product), `${name} renews again`)}
            >
              Resume
            </Button>
          )}
          {actions.includes('cancel') && (
            <Button kind="quiet" label={`Cancel ${name}`} onClick={() => setOpen('cancel')}>
              Cancel
            </Button>
          )}
        </>
      }
      more={
        <>
          {open === 'pay' && actions.includes('pay') && (
            <PayPanel subscription={subscription} name={name} onClose={() => setOpen(undefined)} />
          )}
          {open === 'cancel' && (
            <CancelDialog subscription={subscription} name={name} onClose={() => setOpen(undefined)} />
          )}
        </>
      }
    >
      <p className="muted">{line}</p>
      <p className="muted small">
        {[priced && priceText(priced), subscription.coupon_code && `Coupon ${subscription.coupon_code}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </Row>
  )
}
