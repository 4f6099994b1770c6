import { Link } from '../app/navigation.tsx'
import type { PricedProduct, Subscription } from '../app/types.ts'
import { describeSubscription } from '../billing/describeSubscription.ts'
import { priceText } from '../billing/products/priceText.ts'
import { productIcon, productName } from '../billing/products/productLook.ts'
import { Row } from '../lists/Row.tsx'
import { RowSection } from '../lists/RowSection.tsx'
import { Loaded } from '../loading/Loaded.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { may } from '../organizations/permissions.ts'
import { useLocalization, useTexts } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { comingCharge, runningCosts } from './runningCosts.ts'

/** The products that the organization has, with what they cost and the next charge. */
export function HeldProducts() {
  const { products, subscriptions } = useOrganization()
  const { products: texts } = useTexts()
  return (
    <Loaded resource={products} what="products" rows={4}>
      {(offered) => (
        <Loaded resource={subscriptions} what="subscriptions" rows={4}>
          {(all) => {
            const held = all.filter(({ status }) => status !== 'canceled')
            return (
              <>
                {held.length > 0 && <Figures held={held} products={offered} />}
                <RowSection title={texts.yours} empty={<NoProducts />}>
                  {held.map((subscription) => (
                    <HeldProduct key={subscription.product} subscription={subscription} products={offered} />
                  ))}
                </RowSection>
              </>
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

function NoProducts() {
  const { organization } = useOrganization()
  const { overview, products: texts } = useTexts()
  return (
    <EmptyState icon="box" title={texts.none}>
      {may(organization.role, 'buy') ? (
        <Link className="button primary" to={{ page: 'products', organizationId: organization.id }}>
          {overview.choose}
        </Link>
      ) : (
        texts.askOwner
      )}
    </EmptyState>
  )
}

interface HeldProductProps {
  readonly subscription: Subscription
  readonly products: readonly PricedProduct[]
}

function HeldProduct({ subscription, products }: HeldProductProps) {
  const { product, price } = subscription
  const localization = useLocalization()
  const { badge, tone, line } = describeSubscription(subscription, localization)
  return (
    <Row
      icon={productIcon(product)}
      title={productName(products, product)}
      badges={<Badge tone={tone}>{badge}</Badge>}
      price={price ? priceText(price, localization) : ''}
    >
      <p className="muted">{line}</p>
    </Row>
  )
}

interface FiguresProps {
  readonly held: readonly Subscription[]
  readonly products: readonly PricedProduct[]
}

/** What the subscriptions cost, and what is charged next. */
function Figures({ held, products }: FiguresProps) {
  const localization = useLocalization()
  const { texts, format } = localization
  const own = texts.overview.figures
  const costs = runningCosts(held)
  const next = comingCharge(held)
  return (
    <dl className="figures">
      <div className="panel">
        <dt>{own.running}</dt>
        <dd>{costs.length === 0 ? own.nothing : costs.map((cost) => priceText(cost, localization)).join(' + ')}</dd>
        <dd className="muted small">{own.runningHint}</dd>
      </div>
      <div className="panel">
        <dt>{own.next}</dt>
        <dd>{next ? own.charge(format.money(next.amount, next.currency), format.day(next.at)) : own.nothing}</dd>
        {next && (
          <dd className="muted small">{format.list(next.products.map((product) => productName(products, product)))}</dd>
        )}
      </div>
    </dl>
  )
}
