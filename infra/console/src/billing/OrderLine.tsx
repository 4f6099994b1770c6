import { paymentProblem } from '../app/problem.ts'
import type { Preview, PricedProduct } from '../app/types.ts'
import type { Texts } from '../texts/en.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Icon, type IconName } from '../ui/Icon.tsx'
import type { Tone } from '../ui/tone.ts'
import type { CartLine, LineAnswer } from './cart.ts'
import { refusalText } from './refusalText.ts'

interface OrderLineProps {
  readonly line: CartLine
  readonly product: PricedProduct | undefined
  /** The preview of the line. */
  readonly price: Preview['lines'][number] | undefined
  /** Another line has the order's coupon. */
  readonly isCouponUsed: boolean
  /** Left out while the order is being bought. */
  readonly onRemove: (() => void) | undefined
}

/** A product of the order, with its price and result. */
export function OrderLine({ line, product, price, isCouponUsed, onRemove }: OrderLineProps) {
  const { texts, format } = useLocalization()
  const { answer, code } = line
  const name = product?.name ?? code
  const isDone = answer !== undefined && answer.kind !== 'refused'
  const note = answer
    ? noteOf(answer, texts)
    : price?.ok === false
      ? refusalText({ ...price, isCouponUsed }, texts)
      : price !== undefined && price.discount > 0
        ? ({ tone: 'good', text: texts.orders.coupon.discount(format.money(price.discount, price.currency)) } as const)
        : undefined
  return (
    <li className="order-line">
      <div className="order-line-head">
        <span className="order-name">{name}</span>
        <span className="order-price">{price?.ok ? format.money(price.amount, price.currency) : ''}</span>
        {!isDone && onRemove && (
          <button type="button" className="icon-button" aria-label={texts.orders.remove(name)} onClick={onRemove}>
            <Icon name="close" />
          </button>
        )}
      </div>
      <div role="status">
        {note && (
          <p className={`line-answer ${note.tone}`}>
            <Icon name={icons[note.tone]} />
            {note.text}
          </p>
        )}
      </div>
    </li>
  )
}

const icons = { good: 'check', neutral: 'info', warn: 'alert', bad: 'alert' } as const satisfies Record<Tone, IconName>

function noteOf(answer: LineAnswer, texts: Texts): { readonly tone: Tone; readonly text: string } {
  const { orders } = texts
  switch (answer.kind) {
    case 'bought':
      return { tone: 'good', text: orders.bought }
    case 'confirming':
      return { tone: 'neutral', text: orders.confirming }
    case 'unconfirmed':
      return { tone: 'warn', text: orders.unconfirmed(paymentProblem(answer.error, texts)) }
    case 'refused':
      return refusalText(answer, texts)
  }
}
