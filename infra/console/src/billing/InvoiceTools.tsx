import { SaveCsvButton } from '../lists/SaveCsvButton.tsx'
import { SelectField } from '../lists/SelectField.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { invoiceListTexts, usePartTexts } from '../texts/partTexts.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { type InvoiceFilter, invoiceYears } from './invoiceList.ts'

interface InvoiceToolsProps {
  readonly filter: InvoiceFilter
  readonly onChange: (filter: InvoiceFilter) => void
  /** Reads the table of what the filter leaves. */
  readonly readRows: () => Promise<readonly (readonly string[])[]>
}

/** Chooses invoices by year and status, and saves them. */
export function InvoiceTools({ filter, onChange, readRows }: InvoiceToolsProps) {
  const { organization } = useOrganization()
  const { states } = useTexts().invoices
  const texts = usePartTexts(invoiceListTexts)
  const { year, status } = filter
  const years = invoiceYears(organization.created_at, new Date())
  return (
    <search className="list-tools">
      <SelectField
        label={texts.year}
        value={String(year)}
        options={[['any', texts.anyYear], ...years.map((one) => [String(one), String(one)] as const)]}
        onChange={(chosen) => onChange({ ...filter, year: years.find((one) => String(one) === chosen) ?? 'any' })}
      />
      <SelectField
        label={texts.status}
        value={status}
        options={[
          ['any', texts.anyStatus],
          ['paid', states.paid],
          ['open', states.open],
          ['uncollectible', states.uncollectible],
          ['void', states.void],
        ]}
        onChange={(chosen) => onChange({ ...filter, status: chosen })}
      />
      <SaveCsvButton label={texts.save} name={`${texts.file}${year === 'any' ? '' : `-${year}`}`} read={readRows} />
    </search>
  )
}
