import { useState } from 'react'
import { Link } from '../../app/navigation.tsx'
import { Loaded } from '../../loading/Loaded.tsx'
import { useOrganization } from '../../organizations/organizationData.ts'
import { useTexts } from '../../texts/useLocalization.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AddCardForm } from './AddCardForm.tsx'
import { CardRow } from './CardRow.tsx'

/** The cards that pay for the organization's subscriptions. */
export function CardsPage() {
  const { organization, cards, details } = useOrganization()
  const { cards: texts, invoices } = useTexts()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <Loaded resource={details} what="cards">
        {({ details: { gateway } }) =>
          gateway === 'invoice' ? (
            <EmptyState icon="bank" title={texts.byInvoice}>
              <p>{invoices.terms}</p>
              <Link className="button" to={{ page: 'invoices', organizationId: organization.id }}>
                {texts.seeInvoices}
              </Link>
            </EmptyState>
          ) : (
            <Loaded resource={cards} what="cards">
              {(saved) => (
                <div className="stack narrow">
                  {saved.length === 0 && !isAdding && (
                    <EmptyState icon="card" title={texts.none}>
                      <p>{texts.noneText}</p>
                      <Button kind="primary" onClick={() => setAdding(true)}>
                        {texts.add.open}
                      </Button>
                    </EmptyState>
                  )}
                  {saved.length > 0 && <h2 className="visually-hidden">{texts.saved}</h2>}
                  {saved.length > 0 && <p className="muted">{texts.savedHint}</p>}
                  {saved.length > 0 && (
                    <ul className="rows">
                      {saved.map((card) => (
                        <CardRow key={card.id} card={card} saved={saved} />
                      ))}
                    </ul>
                  )}
                  {saved.length > 0 && !isAdding && (
                    <div>
                      <Button onClick={() => setAdding(true)}>
                        <Icon name="plus" />
                        {texts.add.open}
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
