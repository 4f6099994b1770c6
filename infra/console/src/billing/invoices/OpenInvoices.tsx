import type { PricedProduct } from '../../app/types.ts'
import { Row } from '../../lists/Row.tsx'
import { Loaded } from '../../loading/Loaded.tsx'
import { useOrganization } from '../../organizations/organizationData.ts'
import { useLocalization, useTexts } from '../../texts/useLocalization.ts'
import { Badge } from '../../ui/Badge.tsx'
import { productIcon, productName } from '../products/productLook.ts'
import { InvoiceTerms } from './InvoiceTerms.tsx'
import { amountOpen, describeDue, type OpenInvoice } from './openInvoices.ts'
import { PayInvoiceLink } from './PayInvoiceLink.tsx'

/** The invoices that the organization has to pay, the first due at the top; says so if there are none. */
export function OpenInvoices({ products }: { readonly products: readonly PricedProduct[] | undefined }) {
  const { openInvoices } = useOrganization()
  const texts = useTexts().invoices
  return (
    <section aria-labelledby="open-invoices">
      <h2 id="open-invoices">{texts.toPay}</h2>
      <Loaded resource={openInvoices} what="openInvoices" rows={1}>
        {(invoices) =>
          invoices.length === 0 ? (
            <p className="muted">{texts.nothingToPay}</p>
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
  const localization = useLocalization()
  const { texts, format } = localization
  const { severalProducts, thisPurchase, due, number: numbered } = texts.invoices
  const { tone, text } = describeDue(due_at, new Date(), localization)
  return (
    <Row
      icon={product ? productIcon(product) : 'invoice'}
      title={product ? productName(products, product) : severalProducts}
      badges={<Badge tone={tone}>{text}</Badge>}
      price={format.money(amountOpen(invoice), currency)}
      actions={
        hosted_invoice_url && (
          <PayInvoiceLink kind="primary" address={hosted_invoice_url} what={number ?? thisPurchase} />
        )
      }
    >
      <p className="muted">{due(format.day(due_at))}</p>
      {number && <p className="muted small">{numbered(number)}</p>}
    </Row>
  )
}
