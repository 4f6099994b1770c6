import { type Dispatch, useRef } from 'react'
import { Link } from '../app/navigation.tsx'
import type { Card, Preview, PricedProduct } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useLocalization, useTexts } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Icon } from '../ui/Icon.tsx'
import { CouponField } from './CouponField.tsx'
import { CardOptions } from './cards/CardOptions.tsx'
import { useCardChoice } from './cards/useCardChoice.ts'
import { type Cart, type CartEvent, codesToBuy } from './cart.ts'
import { missingDetails } from './details/missingDetails.ts'
import { InvoiceTerms } from './invoices/InvoiceTerms.tsx'
import { OrderBar } from './OrderBar.tsx'
import { OrderLine } from './OrderLine.tsx'
import { useCartPreview } from './useCartPreview.ts'
import { useCheckout } from './useCheckout.ts'

interface OrderFormProps {
  readonly cart: Cart
  readonly change: Dispatch<CartEvent>
  readonly products: readonly PricedProduct[]
  readonly cards: readonly Card[]
  /** Whether the organization pays by invoice, not with cards. */
  readonly invoiced: boolean
}

/** The lines of the order with their prices, the coupon, the total, and the button that buys. */
export function OrderForm({ cart, change, products, cards, invoiced }: OrderFormProps) {
  const { organization } = useOrganization()
  const localization = useLocalization()
  const { texts, format } = localization
  const own = texts.orders
  const codes = codesToBuy(cart)
  const { preview, loading, error, retry } = useCartPreview(organization.id, codes.join(','), cart.coupon)
  const missing = preview && missingDetails(preview, localization)
  const cardChoice = useCardChoice(cards)
  const choice = invoiced || (preview && isFree(preview)) ? undefined : cardChoice
  const { action, buy } = useCheckout({
    cart,
    change,
    products,
    preview,
    refreshPreview: retry,
    choice,
  })
  const isBusy = action.running
  const priced = preview !== undefined && !loading
  const discounted = preview?.lines.find((line) => line.ok && line.discount > 0)
  const nameOf = (code: string) => products.find(({ plan_code }) => plan_code === code)?.name ?? code
  const payment = useRef<HTMLDivElement>(null)

  return (
    <form
      className="order-form"
      onSubmit={(event) => {
        event.preventDefault()
        void buy()
      }}
    >
      <ul className="order-lines">
        {cart.lines.map((line) => (
          <OrderLine
            key={line.code}
            line={line}
            product={products.find(({ plan_code }) => plan_code === line.code)}
            price={
              missing === undefined ? preview?.lines.find(({ product_code }) => product_code === line.code) : undefined
            }
            isCouponUsed={discounted !== undefined}
            onRemove={isBusy ? undefined : () => change({ type: 'removed', code: line.code })}
          />
        ))}
      </ul>
      {codes.length === 0 ? (
        !isBusy && <Button onClick={() => change({ type: 'cleared' })}>{own.done}</Button>
      ) : (
        <>
          <CouponField coupon={cart.coupon} locked={isBusy} onChange={(coupon) => change({ type: 'coupon', coupon })} />
          {codes.length > 1 && discounted !== undefined && (
            <p className="muted with-icon">
              <Icon name="info" />
              {own.coupon.once(nameOf(discounted.product_code))}
            </p>
          )}
          <ErrorNotice error={error} onRetry={retry} />
          {preview && missing === undefined && (
            <OrderTotals preview={preview} stale={loading} label={invoiced ? own.invoicedNow : own.dueNow} />
          )}
          {invoiced && <InvoiceTerms />}
          {choice && <CardOptions cards={cards} choice={choice} />}
          {missing !== undefined && <MissingDetails missing={missing} />}
          <ErrorNotice error={action.error} />
          <div ref={payment}>
            <Button
              kind="primary"
              type="submit"
              wide
              running={isBusy}
              disabled={!priced || missing !== undefined || preview.lines.every(({ ok }) => !ok)}
            >
              {invoiced ? own.buyByInvoice : priced ? own.pay(format.money(preview.total, preview.currency)) : own.buy}
            </Button>
          </div>
          <p className="hint">{invoiced ? own.invoicedHint : own.chargedHint}</p>
          <OrderBar
            count={preview?.lines.filter(({ ok }) => ok).length ?? 0}
            total={priced && missing === undefined ? format.money(preview.total, preview.currency) : undefined}
            target={payment}
          />
        </>
      )}
    </form>
  )
}

/** Whether nothing is charged, now or later: unlike a coupon, a list price of zero is for every period. */
function isFree({ lines, subtotal, total }: Preview): boolean {
  return lines.some(({ ok }) => ok) && subtotal === 0 && total === 0
}

/** Names the billing details that a purchase still needs, with a link to their form. The order is kept meanwhile. */
function MissingDetails({ missing }: { readonly missing: string }) {
  const { organization } = useOrganization()
  const texts = useTexts().orders
  return (
    <div className="notice warn">
      <Icon name="alert" />
      <div className="notice-body">
        <p>{texts.missing(missing)}</p>
        <Link className="button" to={{ page: 'details', organizationId: organization.id }}>
          {texts.fillIn}
        </Link>
      </div>
    </div>
  )
}

interface OrderTotalsProps {
  readonly preview: Preview
  /** A newer price is on its way. */
  readonly stale: boolean
  /** The label of the total. */
  readonly label: string
}

/** The sum of an order, with discount and tax if there are any. */
function OrderTotals({ preview, stale, label }: OrderTotalsProps) {
  const { lines, total, currency } = preview
  const { texts, format } = useLocalization()
  const sold = lines.filter((line) => line.ok)
  const discount = sold.reduce((sum, line) => sum + line.discount, 0)
  const tax = sold.reduce((sum, line) => sum + line.tax, 0)
  return (
    <dl className={stale ? 'totals stale' : 'totals'} aria-live="polite" aria-busy={stale}>
      {discount > 0 && (
        <div>
          <dt>{texts.orders.discount}</dt>
          <dd className="good-text">−{format.money(discount, currency)}</dd>
        </div>
      )}
      {tax > 0 && (
        <div>
          <dt>{texts.orders.tax}</dt>
          <dd>{format.money(tax, currency)}</dd>
        </div>
      )}
      <div className="total">
        <dt>{label}</dt>
        <dd>{format.money(total, currency)}</dd>
      </div>
    </dl>
  )
}
