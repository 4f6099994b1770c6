import { Link } from '../app/navigation.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { Icon } from '../ui/Icon.tsx'

/** Names the billing details that a purchase still needs, with a link to their form. The order is kept meanwhile. */
export function MissingDetails({ missing }: { readonly missing: string }) {
  const { organization } = useOrganization()
  const texts = useTexts().orders
  return (
    <div className="notice warn">
      <Icon name="alert" />
      <div className="notice-body">
        <p>{texts.missing(missing)}</p>
        <Link className="button" to={{ page: 'details', organizationId: organization.id }}>
          {texts.fillIn}
        </Link>
      </div>
    </div>
  )
}
