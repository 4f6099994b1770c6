import { useState } from 'react'
import { Link } from '../app/navigation.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { AddCardForm } from './AddCardForm.tsx'
import { CardRow } from './CardRow.tsx'
import { invoiceTerms } from './InvoiceTerms.tsx'

/** The cards that pay for the organization's subscriptions. */
export function CardsPage() {
  const { organization, cards, details } = useOrganization()

  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <PageHeader title="Cards" lead="What your subscriptions are paid with." />
      <Loaded resource={details} what="cards">
        {({ details: { gateway } }) =>
          gateway === 'invoice' ? (
            <EmptyState icon="bank" title="Your organization pays by invoice, without a card">
              <p>{invoiceTerms}</p>
              <Link className="button" to={{ page: 'invoices', organizationId: organization.id }}>
                See invoices
              </Link>
            </EmptyState>
          ) : (
            <Loaded resource={cards} what="cards">
              {(saved) => (
                <div className="stack narrow">
                  {saved.length === 0 && !isAdding && (
                    <EmptyState icon="card" title="No card yet">
                      <p>Add the card that your subscriptions are paid with.</p>
                      <Button kind="primary" onClick={() => setAdding(true)}>
                        Add a card
                      </Button>
                    </EmptyState>
                  )}
                  {saved.length > 0 && <h2 className="visually-hidden">Saved cards</h2>}
                  {saved.length > 0 && <p className="muted">The default card pays for your subscriptions.</p>}
                  {saved.length > 0 && (
                    <ul className="rows">
                      {saved.map((card) => (
                        <CardRow key={card.id} card={card} />
                      ))}
                    </ul>
                  )}
                  {saved.length > 0 && !isAdding && (
                    <div>
                      <Button onClick={() => setAdding(true)}>
                        <Icon name="plus" />
                        Add a card
                      </Button>
                    </div>
                  )}
                  {isAdding && <AddCardForm onClose={() => setAdding(false)} />}
                </div>
              )}
            </Loaded>
          )
        }
      </Loaded>
    </>
  )
}
