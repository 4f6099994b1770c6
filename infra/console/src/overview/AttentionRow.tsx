import type { ReactNode } from 'react'
import { Link } from '../app/navigation.tsx'
import type { OrganizationPage } from '../app/route.ts'
import { cardExpiry, cardName } from '../billing/cards/cardName.ts'
import { describeSubscription } from '../billing/describeSubscription.ts'
import { amountOpen, describeDue } from '../billing/invoices/openInvoices.ts'
import { PayInvoiceLink } from '../billing/invoices/PayInvoiceLink.tsx'
import { productIcon, productName } from '../billing/products/productLook.ts'
import { Row } from '../lists/Row.tsx'
import { useResource } from '../loading/resource.ts'
import { useOrganization } from '../organizations/organizationData.ts'
import { useLocalization } from '../texts/useLocalization.ts'
import { Badge } from '../ui/Badge.tsx'
import type { Attention } from './attention.ts'

/** Tells the entries of the list apart. */
export function keyOf(attention: Attention): string {
  const { kind } = attention
  if (kind === 'payment') return `${kind} ${attention.subscription.product}`
  if (kind === 'invoice') return `${kind} ${attention.invoice.id}`
  if (kind === 'expired_invitation') return `${kind} ${attention.invitation.id}`
  return kind
}

/** What needs attention, with the way to solve it. */
export function AttentionRow({ attention }: { readonly attention: Attention }) {
  const { products } = useOrganization()
  const { value: offered } = useResource(products)
  const localization = useLocalization()
  const { texts, format } = localization
  const own = texts.overview.attention
  switch (attention.kind) {
    case 'deletion':
      return (
        <Row
          icon="alert"
          title={own.deletion(format.day(attention.at))}
          actions={<PageLink page="settings">{own.settings}</PageLink>}
        >
          <p className="muted">{own.deletionText}</p>
        </Row>
      )
    case 'payment': {
      const { product } = attention.subscription
      const name = productName(offered, product)
      const { badge, tone, line } = describeSubscription(attention.subscription, localization)
      return (
        <Row
          icon={productIcon(product)}
          title={name}
          badges={<Badge tone={tone}>{badge}</Badge>}
          actions={
            <PageLink page="products" label={own.solveNamed(name)}>
              {own.solve}
            </PageLink>
          }
        >
          <p className="muted">{line}</p>
        </Row>
      )
    }
    case 'invoice': {
      const { product, number, currency, due_at, hosted_invoice_url } = attention.invoice
      const name = product ? productName(offered, product) : texts.invoices.severalProducts
      const { tone, text } = describeDue(due_at, new Date(), localization)
      return (
        <Row
          icon="invoice"
          title={own.invoice(name, format.money(amountOpen(attention.invoice), currency))}
          badges={<Badge tone={tone}>{text}</Badge>}
          actions={
            hosted_invoice_url && (
              <PayInvoiceLink address={hosted_invoice_url} what={number ?? texts.invoices.thisPurchase} />
            )
          }
        >
          <p className="muted">{texts.invoices.due(format.day(due_at))}</p>
        </Row>
      )
    }
    case 'card_expiry': {
      const { card, isExpired } = attention
      const title = (isExpired ? own.cardExpired : own.cardExpires)(cardName(card, texts))
      return (
        <Row icon="card" title={title} actions={<PageLink page="cards">{own.cards}</PageLink>}>
          <p className="muted">{own.cardText(cardExpiry(card))}</p>
        </Row>
      )
    }
    case 'expired_invitation':
      return (
        <Row
          icon="people"
          title={own.expiredInvitation(attention.invitation.email)}
          actions={<PageLink page="members">{own.members}</PageLink>}
        >
          <p className="muted">{own.expiredInvitationText}</p>
        </Row>
      )
    case 'open_invitations':
      return (
        <Row
          icon="people"
          title={own.openInvitations(attention.count)}
          actions={<PageLink page="members">{own.members}</PageLink>}
        >
          <p className="muted">{own.openInvitationsText}</p>
        </Row>
      )
  }
}

interface PageLinkProps {
  readonly page: OrganizationPage
  /** For screen readers, if the text says too little without its row. */
  readonly label?: string | undefined
  readonly children: ReactNode
}

function PageLink({ page, label, children }: PageLinkProps) {
  const { organization } = useOrganization()
  return (
    <Link className="button" to={{ page, organizationId: organization.id }} label={label}>
      {children}
    </Link>
  )
}
