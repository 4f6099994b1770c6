import { Link } from '../app/navigation.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { SpendChart } from './SpendChart.tsx'
import { spendByMonth } from './spendByMonth.ts'

/** What was paid in the last twelve months: a chart for each currency. */
export function SpendSection() {
  const { organization, yearOfInvoices } = useOrganization()
  const { spend: texts } = useTexts().overview
  return (
    <section aria-labelledby="spend">
      <div className="section-head">
        <h2 id="spend">{texts.title}</h2>
        <Link to={{ page: 'invoices', organizationId: organization.id }}>{texts.seeInvoices}</Link>
      </div>
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
    </section>
  )
}
