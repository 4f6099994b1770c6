import { Link } from '../app/navigation.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { Icon } from '../ui/Icon.tsx'

/** Says what the billing details lack before anything can be bought, and leads to their form. The order is kept meanwhile. */
export function MissingDetails({ missing }: { readonly missing: string }) {
  const { organization } = useOrganization()
  return (
    <div className="notice warn">
      <Icon name="alert" />
      <div className="notice-body">
        <p>Before you can buy, we need {missing} for your invoices. Your order is kept meanwhile.</p>
        <Link className="button" to={{ page: 'details', organizationId: organization.id }}>
          Fill in billing details
        </Link>
      </div>
    </div>
  )
}
