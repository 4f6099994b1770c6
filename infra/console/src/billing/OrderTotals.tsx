import type { Preview } from '../app/types.ts'
import { formatMoney } from '../ui/format.ts'

/** The sum of an order, with discount and tax where there are any. `stale`: a newer price is on its way. */
export function OrderTotals({ preview, stale }: { readonly preview: Preview; readonly stale: boolean }) {
  const { lines, total, currency } = preview
  const sold = lines.filter((line) => line.ok)
  const discount = sold.reduce((sum, line) => sum + line.discount, 0)
  const tax = sold.reduce((sum, line) => sum + line.tax, 0)
  return (
    <dl className={stale ? 'totals stale' : 'totals'} aria-live="polite" aria-busy={stale}>
      {discount > 0 && (
        <div>
          <dt>Discount</dt>
          <dd className="good-text">−{formatMoney(discount, currency)}</dd>
        </div>
      )}
      {tax > 0 && (
        <div>
          <dt>Tax</dt>
          <dd>{formatMoney(tax, currency)}</dd>
        </div>
      )}
      <div className="total">
        <dt>Due now</dt>
        <dd>{formatMoney(total, currency)}</dd>
      </div>
    </dl>
  )
}
