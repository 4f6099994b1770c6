import { useLocalization } from '../texts/useLocalization.ts'
import type { Spend } from './spendByMonth.ts'

/** The drawing's own units: it is stretched to the width of the page. */
const HEIGHT = 100
const STEP = 10
const BAR = 6

/** Bars of the last twelve months, with a table in their place for screen readers. */
export function SpendChart({ spend }: { readonly spend: Spend }) {
  const { currency, months, total } = spend
  const { texts, format } = useLocalization()
  const own = texts.overview.spend
  const highest = Math.max(...months.map(({ amount }) => amount))
  return (
    <div className="panel spend">
      <p>{own.total(format.money(total, currency))}</p>
      <div aria-hidden="true">
        <p className="spend-highest muted small">{format.money(highest, currency)}</p>
        <svg
          viewBox={`0 0 ${months.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          {months.map(({ start, amount }, at) => {
            const height = (amount / highest) * HEIGHT
            return (
              <rect key={start} x={at * STEP + (STEP - BAR) / 2} y={HEIGHT - height} width={BAR} height={height}>
                <title>{`${format.monthOfYear(start)}: ${format.money(amount, currency)}`}</title>
              </rect>
            )
          })}
        </svg>
        <div className="spend-months muted">
          {months.map(({ start }) => (
            <span key={start}>{format.month(start)}</span>
          ))}
        </div>
      </div>
      <div className="visually-hidden">
        <table>
          <caption>{own.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{own.month}</th>
              <th scope="col">{own.amount}</th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ start, amount }) => (
              <tr key={start}>
                <th scope="row">{format.monthOfYear(start)}</th>
                <td>{format.money(amount, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
