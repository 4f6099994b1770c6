import type { Card, Subscription } from '../app/types.ts'
import { openInvoicesOf } from '../billing/invoices/openInvoices.ts'
import { RowSection } from '../lists/RowSection.tsx'
import { useResource } from '../loading/resource.ts'
import { Skeleton } from '../loading/Skeleton.tsx'
import { useOrganization } from '../organizations/organizationData.ts'
import { may } from '../organizations/permissions.ts'
import { useTexts } from '../texts/useLocalization.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Icon } from '../ui/Icon.tsx'
import { AttentionRow, keyOf } from './AttentionRow.tsx'
import { type Attention, attentionOf } from './attention.ts'

/** What needs attention; for each role from what it may read. */
export function AttentionSection() {
  const { organization } = useOrganization()
  if (may(organization.role, 'see billing')) return <BillingAttention />
  const found = attentionOf(
    { organization, subscriptions: [], openInvoices: [], cards: [], invitations: [] },
    new Date(),
  )
  return found.length > 0 && <AttentionList found={found} isAll={false} />
}

function BillingAttention() {
  const { subscriptions } = useOrganization()
  const { value, error } = useResource(subscriptions)
  // If the read fails, the list of products says so.
  if (value === undefined) return error === undefined && <Skeleton what="subscriptions" rows={1} />
  // An organization without a card's subscription need not be asked for cards.
  if (value.every(({ gateway }) => gateway !== 'card')) return <KnownAttention subscriptions={value} cards={[]} />
  return <CardAttention subscriptions={value} />
}

function CardAttention({ subscriptions }: { readonly subscriptions: readonly Subscription[] }) {
  const { cards } = useOrganization()
  const { value, error, loading } = useResource(cards)
  return (
    <>
      <ErrorNotice error={error} retrying={loading} onRetry={() => void cards.reload()} />
      <KnownAttention subscriptions={subscriptions} cards={value} />
    </>
  )
}

interface KnownAttentionProps {
  readonly subscriptions: readonly Subscription[]
  /** Undefined until they are known. */
  readonly cards: readonly Card[] | undefined
}

function KnownAttention({ subscriptions, cards }: KnownAttentionProps) {
  const { organization, yearOfInvoices, members } = useOrganization()
  const invoices = useResource(yearOfInvoices).value
  const people = useResource(members).value
  const known = {
    organization,
    subscriptions,
    openInvoices: openInvoicesOf(invoices ?? []),
    cards: cards ?? [],
    invitations: people?.invitations ?? [],
  }
  const isAll = cards !== undefined && invoices !== undefined && people !== undefined
  return <AttentionList found={attentionOf(known, new Date())} isAll={isAll} />
}

interface AttentionListProps {
  readonly found: readonly Attention[]
  /** Whether everything was read, so that nothing else can need attention. */
  readonly isAll: boolean
}

function AttentionList({ found, isAll }: AttentionListProps) {
  const { attention: texts } = useTexts().overview
  const nothing = isAll ? (
    <p className="muted with-icon">
      <Icon name="check" />
      {texts.none}
    </p>
  ) : (
    <Skeleton what="page" rows={1} />
  )
  return (
    <RowSection title={texts.title} empty={nothing}>
      {found.map((attention) => (
        <AttentionRow key={keyOf(attention)} attention={attention} />
      ))}
    </RowSection>
  )
}
