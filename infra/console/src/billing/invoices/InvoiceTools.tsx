import { optionsOf, SelectField } from '../../forms/SelectField.tsx'
import { choicesIn } from '../../lists/choicesIn.ts'
import { SaveCsvButton } from '../../lists/SaveCsvButton.tsx'
import { useOrganization } from '../../organizations/organizationData.ts'
import { invoiceListTexts, usePartTexts } from '../../texts/partTexts.ts'
import { useTexts } from '../../texts/useLocalization.ts'
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
  const { year } = filter
  const choice = choicesIn(filter, onChange)
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
        options={optionsOf({ any: texts.anyStatus, ...states })}
        {...choice('status')}
      />
      <SaveCsvButton label={texts.save} name={`${texts.file}${year === 'any' ? '' : `-${year}`}`} read={readRows} />
    </search>
  )
}
