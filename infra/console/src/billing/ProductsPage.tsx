import { type Dispatch, useEffect } from 'react'
import { Link } from '../app/navigation.tsx'
import type { PricedProduct, Subscription } from '../app/types.ts'
import { LazyPart } from '../loading/LazyPart.tsx'
import { Loaded } from '../loading/Loaded.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { may } from '../organizations/permissions.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Icon } from '../ui/Icon.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import type { Cart, CartEvent } from './cart.ts'
import { isBilledByInvoice } from './describeSubscription.ts'
import { OpenInvoices } from './invoices/OpenInvoices.tsx'
import { ProductOffer } from './ProductOffer.tsx'
import { SubscriptionRow } from './SubscriptionRow.tsx'
import { useCart } from './useCart.ts'

/** The organization's products, those that it can add, and the order. */
export function ProductsPage() {
  const { organization, products, subscriptions } = useOrganization()
  const texts = useTexts().products
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead(organization.name)} />
      <Loaded resource={products} what="products" rows={4}>
        {(offered) => (
          <Loaded resource={subscriptions} what="subscriptions" rows={4}>
            {(held) => <Products offered={offered} subscriptions={held} />}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

interface ProductsProps {
  readonly offered: readonly PricedProduct[]
  readonly subscriptions: readonly Subscription[]
}

function Products({ offered, subscriptions }: ProductsProps) {
  const { organization } = useOrganization()
  const texts = useTexts().products
  const [cart, change] = useCart(organization.id)
  useEffect(() => {
    // Paid under the subscriptions after all, or confirmed elsewhere.
    for (const { code, answer } of cart.lines) {
      const isPaid = subscriptions.some(({ plan_code, status }) => plan_code === code && status === 'active')
      if (answer?.kind === 'unconfirmed' && isPaid) change({ type: 'settled', code, answer: { kind: 'bought' } })
    }
  }, [cart, subscriptions, change])
  const canBuy = may(organization.role, 'buy')
  const held = subscriptions.filter(({ status }) => status !== 'canceled')
  const available = offered.filter(({ product }) => !held.some((one) => one.product === product))
  const hasOrder = canBuy && (available.length > 0 || cart.lines.length > 0)

  return (
    <div className={hasOrder ? 'with-aside' : undefined}>
      <div className="stack">
        {subscriptions.some(isBilledByInvoice) &&
          (may(organization.role, 'see billing') ? (
            <OpenInvoices products={offered} />
          ) : (
            <p className="muted with-icon">
              <Icon name="bank" />
              {texts.invoicesElsewhere}
            </p>
          ))}
        <section aria-labelledby="subscriptions">
          <h2 id="subscriptions">{texts.yours}</h2>
          {held.length > 0 ? (
            <SubscriptionList subscriptions={held} products={offered} />
          ) : (
            <EmptyState icon="box" title={texts.none}>
              {canBuy ? texts.addBelow : texts.askOwner}
            </EmptyState>
          )}
        </section>
        {available.length > 0 && (
          <section aria-labelledby="available">
            <h2 id="available">{texts.available}</h2>
            <ul className="rows">
              {available.map((product) => (
                <ProductOffer
                  key={product.product}
                  product={product}
                  ended={subscriptions.find((one) => one.product === product.product)}
                  isInCart={cart.lines.some(
                    ({ code, answer }) => code === product.plan_code && answer?.kind !== 'bought',
                  )}
                  onAdd={canBuy ? () => change({ type: 'added', code: product.plan_code }) : undefined}
                  onRemove={() => change({ type: 'removed', code: product.plan_code })}
                />
              ))}
            </ul>
          </section>
        )}
        {!canBuy && (
          <p className="muted">
            {texts.buyers} <Link to={{ page: 'members', organizationId: organization.id }}>{texts.seeMembers}</Link>
          </p>
        )}
      </div>
      {hasOrder && <OrderPanel cart={cart} change={change} products={offered} />}
    </div>
  )
}

interface SubscriptionListProps {
  readonly subscriptions: readonly Subscription[]
  readonly products: readonly PricedProduct[]
}

/** The organization's subscriptions, first those that need attention. */
function SubscriptionList({ subscriptions, products }: SubscriptionListProps) {
  const urgent = subscriptions.filter(({ action }) => action !== 'none')
  const calm = subscriptions.filter(({ action }) => action === 'none')
  return (
    <ul className="rows">
      {[...urgent, ...calm].map((subscription) => (
        <SubscriptionRow key={subscription.product} subscription={subscription} products={products} />
      ))}
    </ul>
  )
}

interface OrderPanelProps {
  readonly cart: Cart
  readonly change: Dispatch<CartEvent>
  readonly products: readonly PricedProduct[]
}

const orderForm = async () => (await import('./buying.ts')).OrderForm

/** The order: its products, their price, and the payment. */
function OrderPanel(props: OrderPanelProps) {
  const { cards, details } = useOrganization()
  const texts = useTexts().orders
  const isEmpty = props.cart.lines.length === 0
  return (
    <aside className="panel order" aria-labelledby="order">
      <h2 id="order">{texts.title}</h2>
      {isEmpty ? (
        <p className="muted">{texts.empty}</p>
      ) : (
        <Loaded resource={details} what="details" rows={2}>
          {({ details: known }) =>
            known.gateway === 'invoice' ? (
              <LazyPart name="order" load={orderForm} props={{ ...props, cards: [], invoiced: true }} />
            ) : (
              <Loaded resource={cards} what="cards" rows={2}>
                {(saved) => (
                  <LazyPart name="order" load={orderForm} props={{ ...props, cards: saved, invoiced: false }} />
                )}
              </Loaded>
            )
          }
        </Loaded>
      )}
    </aside>
  )
}
