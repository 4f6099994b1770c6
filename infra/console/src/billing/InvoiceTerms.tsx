import { useTexts } from '../texts/useLocalization.ts'
import { Icon } from '../ui/Icon.tsx'

/** The terms of invoices, where a card form would be: how an organization pays that is sent them. */
export function InvoiceTerms() {
  const { invoices } = useTexts()
  return (
    <p className="hint with-icon">
      <Icon name="bank" />
      {invoices.terms}
    </p>
  )
}
