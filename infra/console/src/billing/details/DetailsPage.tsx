import { Link } from '../../app/navigation.tsx'
import { Loaded } from '../../loading/Loaded.tsx'
import { useOrganization } from '../../organizations/organizationData.ts'
import { useTexts } from '../../texts/useLocalization.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { codesToBuy } from '../cart.ts'
import { useCart } from '../useCart.ts'
import { DetailsEditor } from './DetailsEditor.tsx'

/** Name, address and tax id, as they are printed on invoices. */
export function DetailsPage() {
  const { organization, details } = useOrganization()
  const { details: texts, orders } = useTexts()
  const [cart] = useCart(organization.id)
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <Loaded resource={details} what="details" rows={5}>
        {(loaded) => (
          <div className="stack">
            <DetailsEditor loaded={loaded} />
            {codesToBuy(cart).length > 0 && (
              <p>
                {orders.kept} <Link to={{ page: 'products', organizationId: organization.id }}>{orders.back}</Link>
              </p>
            )}
          </div>
        )}
      </Loaded>
    </>
  )
}
