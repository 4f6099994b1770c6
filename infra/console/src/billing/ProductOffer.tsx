import type { PricedProduct, Subscription } from '../app/types.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Row } from '../ui/Row.tsx'
import { describeSubscription } from './describeSubscription.ts'
import { descriptionOf, priceText, productIcons } from './productLook.ts'

interface ProductOfferProps {
  readonly product: PricedProduct
  /** The subscription that the organization had before. */
  readonly ended: Subscription | undefined
  readonly isInCart: boolean
  /** Left out for a role that cannot buy. */
  readonly onAdd: (() => void) | undefined
  readonly onRemove: () => void
}

/** A product that the organization does not have, with its price. */
export function ProductOffer({ product, ended, isInCart, onAdd, onRemove }: ProductOfferProps) {
  const { name } = product
  return (
    <Row
      icon={productIcons[product.product]}
      title={name}
      price={priceText(product)}
      actions={
        onAdd &&
        (isInCart ? (
          <Button kind="quiet" label={`Added: ${name}. Remove it from the order`} onClick={onRemove}>
            <Icon name="check" />
            Added
          </Button>
        ) : (
          <Button label={`Add ${name} to the order`} onClick={onAdd}>
            <Icon name="plus" />
            Add
          </Button>
        ))
      }
    >
      <p className="muted">{descriptionOf(product)}</p>
      {ended && <p className="muted small">{describeSubscription(ended).line}</p>}
    </Row>
  )
}
