import { useState } from 'react'
import type { PricedProduct, Subscription } from '../app/types.ts'
import { Row } from '../lists/Row.tsx'
import { LazyPart } from '../loading/LazyPart.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { actionsOf, describeSubscription } from './describeSubscription.ts'
import { PayInvoiceLink } from './invoices/PayInvoiceLink.tsx'
import { priceText } from './products/priceText.ts'
import { productIcon, productName } from './products/productLook.ts'
import { usePayments } from './usePayments.ts'
import { useSubscriptionChanges } from './useSubscriptionChanges.ts'

const cancelDialog = async () => (await import('./buying.ts')).CancelDialog
const payPanel = async () => (await import('./buying.ts')).PayPanel

interface SubscriptionRowProps {
  readonly subscription: Subscription
  readonly products: readonly PricedProduct[]
}

/** A subscription: its state, its end or next charge, its price, and its actions. */
export function SubscriptionRow({ subscription, products }: SubscriptionRowProps) {
  const { organization } = useOrganization()
  const { pay } = usePayments()
  const { resume } = useSubscriptionChanges()
  const [open, setOpen] = useState<'cancel' | 'pay'>()
  const action = useAction()
  const say = useToast()
  const { product, price, coupon_code } = subscription
  const name = productName(products, product)
  const localization = useLocalization()
  const { products: texts } = localization.texts
  const { actions: words } = texts
  const { badge, tone, line, next } = describeSubscription(subscription, localization)
  const actions = actionsOf(subscription, organization.role)

  async function start(work: () => Promise<unknown>, done: string): Promise<void> {
    if (await action.run(work)) say(done)
  }

  return (
    <Row
      icon={productIcon(product)}
      title={name}
      badges={<Badge tone={tone}>{badge}</Badge>}
      error={action.error}
      actions={
        <>
          {actions.includes('confirm') && (
            <Button
              kind="primary"
              running={action.running}
              label={words.confirmNamed(name)}
              onClick={() => void start(() => pay(product), words.paid(name))}
            >
              {words.confirm}
            </Button>
          )}
          {actions.includes('pay') && open !== 'pay' && (
            <Button kind="primary" label={words.payNamed(name)} onClick={() => setOpen('pay')}>
              {words.pay}
            </Button>
          )}
          {actions.includes('pay invoice') && subscription.hosted_invoice_url && (
            <PayInvoiceLink address={subscription.hosted_invoice_url} what={name} />
          )}
          {actions.includes('resume') && (
            <Button
              running={action.running}
              label={words.resumeNamed(name)}
              onClick={() => void start(() => resume(product), words.resumed(name))}
            >
              {words.resume}
            </Button>
          )}
          {actions.includes('cancel') && (
            <Button kind="quiet" label={words.cancelNamed(name)} onClick={() => setOpen('cancel')}>
              {words.cancel}
            </Button>
          )}
        </>
      }
      more={
        <>
          {open === 'pay' && actions.includes('pay') && (
            <LazyPart name="pay" load={payPanel} props={{ subscription, name, onClose: () => setOpen(undefined) }} />
          )}
          {open === 'cancel' && (
            <LazyPart
              name="cancel"
              load={cancelDialog}
              props={{ subscription, name, onClose: () => setOpen(undefined) }}
            />
          )}
        </>
      }
    >
      <p className="muted">{line}</p>
      {next && <p className="muted">{next}</p>}
      <p className="muted small">
        {[price && priceText(price, localization), coupon_code && texts.coupon(coupon_code)]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </Row>
  )
}
