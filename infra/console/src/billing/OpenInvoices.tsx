import { useEffect } from 'react'
import type { PricedProduct } from '../app/types.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { Badge } from '../ui/Badge.tsx'
import { formatDay, formatMoney } from '../ui/format.ts'
import { Icon } from '../ui/Icon.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { InvoiceTerms } from './InvoiceTerms.tsx'
import { amountOpen, describeDue, type OpenInvoice } from './openInvoices.ts'
import { PayInvoiceLink } from './PayInvoiceLink.tsx'
import { productIcons, productName } from './productLook.ts'

/** What the organization is to pay, the invoice that is due first at the top, or that there is nothing. */
export function OpenInvoices({ products }: { readonly products: readonly PricedProduct[] | undefined }) {
  const { openInvoices, subscriptions } = useOrganization()
  useEffect(() => {
    // Back from an invoice's page, which opens in another tab.
    const reload = () => {
      if (document.visibilityState !== 'visible') return
      void openInvoices.reload()
      void subscriptions.reload()
    }
    document.addEventListener('visibilitychange', reload)
    return () => document.removeEventListener('visibilitychange', reload)
  }, [openInvoices, subscriptions])

  return (
    <section aria-labelledby="open-invoices">
      <h2 id="open-invoices">To pay</h2>
      <Loaded resource={openInvoices} what="open invoices" rows={1}>
        {(invoices) =>
          invoices.length === 0 ? (
            <p className="muted">Nothing to pay.</p>
          ) : (
            <ul className="rows">
              {invoices.map((invoice) => (
                <InvoiceRow key={invoice.id} invoice={invoice} products={products} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <InvoiceTerms />
    </section>
  )
}

interface InvoiceRowProps {
  readonly invoice: OpenInvoice
  readonly products: readonly PricedProduct[] | undefined
}

function InvoiceRow({ invoice, products }: InvoiceRowProps) {
  const { number, product, due_at, currency, hosted_invoice_url } = invoice
  const { tone, text } = describeDue(due_at, new Date())
  return (
    <li className="row offer">
      <span className="row-icon">
        <Icon name={product ? productIcons[product] : 'invoice'} />
      </span>
      <div className="row-text">
        <h3>
          {product ? productName(products, product) : 'Several products'} <Badge tone={tone}>{text}</Badge>
        </h3>
        <p className="muted">Due {formatDay(due_at)}</p>
        {number && <p className="muted small">Invoice {number}</p>}
      </div>
      <p className="row-price">{formatMoney(amountOpen(invoice), currency)}</p>
      {hosted_invoice_url && (
        <div className="row-actions">
          <PayInvoiceLink kind="primary" address={hosted_invoice_url} what={number ?? 'this purchase'} />
        </div>
      )}
    </li>
  )
}
