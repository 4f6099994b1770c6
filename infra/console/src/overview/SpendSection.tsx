import { Loaded } from '../loading/Loaded.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { OverviewSection } from './OverviewSection.tsx'
import { SpendChart } from './SpendChart.tsx'
import { spendByMonth } from './spendByMonth.ts'

/** What was paid in the last twelve months: a chart for each currency. */
export function SpendSection() {
  const { yearOfInvoices } = useOrganization()
  const { spend: texts } = useTexts().overview
  return (
    <OverviewSection title={texts.title} page="invoices" link={texts.seeInvoices}>
      <Loaded resource={yearOfInvoices} what="invoices" rows={2}>
        {(invoices) => {
          const spends = spendByMonth(invoices, new Date())
          return spends.length === 0 ? (
            <p className="muted">{texts.none}</p>
          ) : (
            spends.map((spend) => <SpendChart key={spend.currency} spend={spend} />)
          )
        }}
      </Loaded>
    </OverviewSection>
  )
}
