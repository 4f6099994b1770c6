import type { Preview, PricedProduct } from '../app/types.ts'
import { formatMoney } from '../ui/format.ts'
import { Icon, type IconName } from '../ui/Icon.tsx'
import type { Tone } from '../ui/tone.ts'
import type { CartLine, LineAnswer } from './cart.ts'
import { refusalOf } from './refusalText.ts'

interface OrderLineProps {
  readonly line: CartLine
  readonly product: PricedProduct | undefined
  /** What the preview says of it. */
  readonly price: Preview['lines'][number] | undefined
  /** Another line has the order's coupon. */
  readonly isCouponUsed: boolean
  /** Left out while the order is being bought. */
  readonly onRemove: (() => void) | undefined
}

/** One product of the order, with its price and what became of it. */
export function OrderLine({ line, product, price, isCouponUsed, onRemove }: OrderLineProps) {
  const { answer, code } = line
  const name = product?.name ?? code
  const isDone = answer !== undefined && answer.kind !== 'refused'
  const note = answer ? noteOf(answer) : price?.ok === false ? refusalOf(price, isCouponUsed) : undefined
  return (
    <li className="order-line">
      <div className="order-line-head">
        <span className="order-name">{name}</span>
        <span className="order-price">{price?.ok ? formatMoney(price.amount, price.currency) : ''}</span>
        {!isDone && onRemove && (
          <button type="button" className="icon-button" aria-label={`Remove ${name}`} onClick={onRemove}>
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

function noteOf(answer: LineAnswer): { readonly tone: Tone; readonly text: string } {
  switch (answer.kind) {
    case 'bought':
      return { tone: 'good', text: 'Bought' }
    case 'confirming':
      return { tone: 'neutral', text: 'Waiting for your bank’s confirmation' }
    case 'unconfirmed':
      return { tone: 'warn', text: answer.text }
    case 'refused':
      return answer
  }
}
