import type { PricedProduct, Subscription } from '../app/types.ts'
import { Row } from '../lists/Row.tsx'
import { useLocalization } from '../texts/useLocalization.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { describeSubscription } from './describeSubscription.ts'
import { priceText } from './products/priceText.ts'
import { descriptionOf, productIcon } from './products/productLook.ts'

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
  const localization = useLocalization()
  const { products: texts } = localization.texts
  return (
    <Row
      icon={productIcon(product.product)}
      title={name}
      price={priceText(product.price, localization)}
      actions={
        onAdd &&
        (isInCart ? (
          <Button kind="quiet" label={texts.addedNamed(name)} onClick={onRemove}>
            <Icon name="check" />
            {texts.added}
          </Button>
        ) : (
          <Button label={texts.addNamed(name)} onClick={onAdd}>
            <Icon name="plus" />
            {texts.add}
          </Button>
        ))
      }
    >
      <p className="muted">{descriptionOf(product, localization.texts)}</p>
      {ended && <p className="muted small">{describeSubscription(ended, localization).line}</p>}
    </Row>
  )
}
