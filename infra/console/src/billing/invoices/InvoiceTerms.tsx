import { useTexts } from '../../texts/useLocalization.ts'
import { Icon } from '../../ui/Icon.tsx'

/** The terms of invoices, in place of the card form when an organization pays by invoice. */
export function InvoiceTerms() {
  const { invoices } = useTexts()
  return (
    <p className="hint with-icon">
      <Icon name="bank" />
      {invoices.terms}
    </p>
  )
}
