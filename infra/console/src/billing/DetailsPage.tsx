import { Link } from '../app/navigation.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { codesToBuy } from './cart.ts'
import { DetailsEditor } from './DetailsEditor.tsx'
import { useCart } from './useCart.ts'

/** Name, address and tax id, as they are printed on invoices. */
export function DetailsPage() {
  const { organization, details } = useOrganization()
  const [cart] = useCart(organization.id)
  return (
    <>
      <PageHeader
        title="Billing details"
        lead="They are printed on your invoices, and receipts go to the email address."
      />
      <Loaded resource={details} what="details" rows={5}>
        {(loaded) => (
          <div className="stack">
            <DetailsEditor loaded={loaded} />
            {codesToBuy(cart).length > 0 && (
              <p>
                Your order is kept.{' '}
                <Link to={{ page: 'products', organizationId: organization.id }}>Back to your order</Link>
              </p>
            )}
          </div>
        )}
      </Loaded>
    </>
  )
}
