import { Icon } from '../ui/Icon.tsx'

interface PayInvoiceLinkProps {
  /** Of the payment provider's page of the invoice. */
  readonly address: string
  /** What it is for, read out by screen readers: `Monitoring`. */
  readonly what: string
  readonly kind?: 'primary' | 'plain'
}

/** Leads to the page of an open invoice, which says how to pay it, in a new tab. */
export function PayInvoiceLink({ address, what, kind = 'plain' }: PayInvoiceLinkProps) {
  return (
    <a className={`button ${kind}`} href={address} target="_blank" rel="noopener noreferrer">
      Pay invoice
      <span className="visually-hidden"> for {what} in a new tab</span>
      <Icon name="external" />
    </a>
  )
}
