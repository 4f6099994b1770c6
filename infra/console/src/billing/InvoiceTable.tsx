import { Link } from '../app/navigation.tsx'
import type { Invoice, PricedProduct } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { Badge } from '../ui/Badge.tsx'
import { formatDay, formatMoney } from '../ui/format.ts'
import { Icon } from '../ui/Icon.tsx'
import type { Tone } from '../ui/tone.ts'
import { productName } from './productLook.ts'

interface InvoiceTableProps {
  readonly invoices: readonly Invoice[]
  readonly products: readonly PricedProduct[] | undefined
}

const states = {
  paid: { tone: 'good', text: 'Paid' },
  open: { tone: 'warn', text: 'Open' },
  uncollectible: { tone: 'bad', text: 'Not collected' },
  void: { tone: 'neutral', text: 'Void' },
} as const satisfies Record<Invoice['status'], { tone: Tone; text: string }>

/** Invoices as a table; on a phone each one is a block of its own. */
export function InvoiceTable({ invoices, products }: InvoiceTableProps) {
  const { organization } = useOrganization()
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">Invoice</th>
          <th scope="col">Date</th>
          <th scope="col">Status</th>
          <th scope="col" className="number">
            Amount
          </th>
          <th scope="col">
            <span className="visually-hidden">Links</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => {
          const { id, number, status, product, amount_due, currency, created_at, due_at } = invoice
          const name = number ?? 'Draft'
          const { tone, text } = states[status]
          return (
            <tr key={id}>
              <th scope="row">
                <span className="cell-title">{product ? productName(products, product) : 'Several products'}</span>
                <span className="muted small">{name}</span>
              </th>
              <td>{formatDay(created_at)}</td>
              <td>
                <Badge tone={tone}>{text}</Badge>
                {status === 'open' && due_at && <span className="muted small due">Due {formatDay(due_at)}</span>}
              </td>
              <td className="number">{formatMoney(amount_due, currency)}</td>
              <td className="links">
                {status === 'open' && invoice.due_at === null && (
                  <Link to={{ page: 'products', organizationId: organization.id }}>Pay</Link>
                )}
                {invoice.hosted_invoice_url && (
                  <a href={invoice.hosted_invoice_url} target="_blank" rel="noreferrer">
                    View<span className="visually-hidden"> invoice {name} in a new tab</span>
                    <Icon name="external" />
                  </a>
                )}
                {invoice.invoice_pdf && (
                  <a href={invoice.invoice_pdf} target="_blank" rel="noreferrer">
                    PDF<span className="visually-hidden"> of invoice {name}</span>
                    <Icon name="download" />
                  </a>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
