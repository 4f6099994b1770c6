import type { Preview } from '../app/types.ts'
import { useLocalization } from '../texts/useLocalization.ts'

interface OrderTotalsProps {
  readonly preview: Preview
  /** A newer price is on its way. */
  readonly stale: boolean
  /** The label of the total. */
  readonly label: string
}

/** The sum of an order, with discount and tax if there are any. */
export function OrderTotals({ preview, stale, label }: OrderTotalsProps) {
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
