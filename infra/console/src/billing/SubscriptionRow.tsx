import { useState } from 'react'
import { useServices } from '../app/services.ts'
import type { PricedProduct, Product, Subscription } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Row } from '../ui/Row.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { useAction } from '../ui/useAction.ts'
import { actionsOf, describeSubscription } from './describeSubscription.ts'
import { PayInvoiceLink } from './PayInvoiceLink.tsx'
import { PayPanel } from './PayPanel.tsx'
import { priceText } from './priceText.ts'
import { productIcons, productName } from './productLook.ts'
import { usePayments } from './usePayments.ts'

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
            <PayPanel subscription={subscription} name={name} onClose={() => setOpen(undefined)} />
          )}
          {open === 'cancel' && (
            <CancelDialog subscription={subscription} name={name} onClose={() => setOpen(undefined)} />
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

interface CancelDialogProps {
  readonly subscription: Subscription
  /** The product's name. */
  readonly name: string
  readonly onClose: () => void
}

/** Asks before a subscription is canceled, and says until when the product works. */
function CancelDialog({ subscription, name, onClose }: CancelDialogProps) {
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

/** Cancels a subscription, and resumes it while it still runs. Both show the current state afterwards, even if they failed. */
function useSubscriptionChanges() {
  const { client } = useServices()
  const { organization, subscriptions } = useOrganization()
  const query = { organization_id: organization.id }

  return {
    async cancel(product: Product) {
      try {
        return await client.cancelSubscription({ query, body: { product } })
      } finally {
        await subscriptions.reload()
      }
    },
    async resume(product: Product) {
      try {
        await client.resumeSubscription({ path: { product }, query })
      } finally {
        await subscriptions.reload()
      }
    },
  }
}
