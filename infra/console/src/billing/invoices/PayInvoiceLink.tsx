import { useTexts } from '../../texts/useLocalization.ts'
import { Icon } from '../../ui/Icon.tsx'

interface PayInvoiceLinkProps {
  /** Of the payment provider's page of the invoice. */
  readonly address: string
  /** The product, for screen readers: `Monitoring`. */
  readonly what: string
  readonly kind?: 'primary' | 'plain'
}

/** Leads to the page of an open invoice, which says how to pay it, in a new tab. */
export function PayInvoiceLink({ address, what, kind = 'plain' }: PayInvoiceLinkProps) {
  const { payInvoice, spoken } = useTexts().invoices
  return (
    <a className={`button ${kind}`} href={address} target="_blank" rel="noopener noreferrer">
      {payInvoice}
      <span className="visually-hidden">{spoken.pay(what)}</span>
      <Icon name="external" />
    </a>
  )
}
