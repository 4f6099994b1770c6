import { Icon } from '../ui/Icon.tsx'

/** How an organization pays that is sent invoices. */
export const invoiceTerms = 'You are sent an invoice by email and pay by bank transfer; each invoice says by when.'

/** The terms of invoices, where a card form would be. */
export function InvoiceTerms() {
  return (
    <p className="hint with-icon">
      <Icon name="bank" />
      {invoiceTerms}
    </p>
  )
}
