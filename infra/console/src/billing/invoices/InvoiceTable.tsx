import { Link } from '../../app/navigation.tsx'
import type { Invoice, PricedProduct } from '../../app/types.ts'
import { useOrganization } from '../../organizations/organizationData.ts'
import { useLocalization } from '../../texts/useLocalization.ts'
import { wordIn } from '../../texts/wordIn.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import type { Tone } from '../../ui/tone.ts'
import { productName } from '../products/productLook.ts'

interface InvoiceTableProps {
  readonly invoices: readonly Invoice[]
  readonly products: readonly PricedProduct[] | undefined
}

const tones: Partial<Record<string, Tone>> = {
  paid: 'good',
  open: 'warn',
  uncollectible: 'bad',
  void: 'neutral',
}

/** Invoices as a table; on a phone each is a block. */
export function InvoiceTable({ invoices, products }: InvoiceTableProps) {
  const { organization } = useOrganization()
  const { texts, format } = useLocalization()
  const { columns, spoken, ...own } = texts.invoices
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{columns.invoice}</th>
          <th scope="col">{columns.date}</th>
          <th scope="col">{columns.status}</th>
          <th scope="col" className="number">
            {columns.amount}
          </th>
          <th scope="col">
            <span className="visually-hidden">{columns.links}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => {
          const { id, number, status, product, amount_due, currency, created_at, due_at } = invoice
          const name = number ?? own.draft
          return (
            <tr key={id}>
              <th scope="row">
                <span className="cell-title">{product ? productName(products, product) : own.severalProducts}</span>
                <span className="muted small">{name}</span>
              </th>
              <td>{format.day(created_at)}</td>
              <td>
                <Badge tone={tones[status] ?? 'neutral'}>{wordIn(own.states, status)}</Badge>
                {status === 'open' && due_at && <span className="muted small due">{own.due(format.day(due_at))}</span>}
              </td>
              <td className="number">{format.money(amount_due, currency)}</td>
              <td className="links">
                {status === 'open' && invoice.due_at === null && (
                  <Link to={{ page: 'products', organizationId: organization.id }}>{own.pay}</Link>
                )}
                <DocumentLink
                  href={invoice.hosted_invoice_url}
                  text={own.view}
                  spoken={spoken.view(name)}
                  icon="external"
                />
                <DocumentLink href={invoice.invoice_pdf} text={own.pdf} spoken={spoken.pdf(name)} icon="download" />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface DocumentLinkProps {
  /** Null if there is no such document. */
  readonly href: string | null
  readonly text: string
  /** Read out after the text. */
  readonly spoken: string
  readonly icon: IconName
}

/** Opens the invoice, as a page or a file, in a new tab. */
function DocumentLink({ href, text, spoken, icon }: DocumentLinkProps) {
  if (!href) return null
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {text}
      <span className="visually-hidden">{spoken}</span>
      <Icon name={icon} />
    </a>
  )
}
