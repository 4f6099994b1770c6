import type { Dispatch } from 'react'
import type { PricedProduct } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Loaded } from '../ui/Loaded.tsx'
import type { Cart, CartEvent } from './cart.ts'
import { OrderForm } from './OrderForm.tsx'

interface OrderPanelProps {
  readonly cart: Cart
  readonly change: Dispatch<CartEvent>
  readonly products: readonly PricedProduct[]
}

/** The order: its products, their price, and the payment. */
export function OrderPanel(props: OrderPanelProps) {
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
              <OrderForm {...props} cards={[]} invoiced={known} />
            ) : (
              <Loaded resource={cards} what="cards" rows={2}>
                {(saved) => <OrderForm {...props} cards={saved} />}
              </Loaded>
            )
          }
        </Loaded>
      )}
    </aside>
  )
}
