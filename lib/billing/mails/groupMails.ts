import type { MoneyFact } from '../slot/moneyMail.ts'
import type { MailedFacts } from './writeMoneyMail.ts'

/** Stored mails that go out as one. For an expiring card, its month: the cards are found when it is sent. */
export interface MailGroup<Stored> {
  readonly what:
    | Exclude<MailedFacts, { kind: 'card_expiring' }>
    | { readonly kind: 'card_expiring'; readonly month: string }
  readonly stored: readonly Stored[]
}

/** Groups an organization's mails: one for each kind, so a cart of four products is one mail. Each invoice has a mail of its own. */
export function groupMails<Stored extends { readonly mail: { readonly fact: MoneyFact } }>(
  stored: readonly Stored[],
): MailGroup<Stored>[] {
  const groups = Map.groupBy(stored, ({ mail: { fact } }) =>
    fact.kind === 'invoice_sent' ? `${fact.kind} ${fact.page} ${fact.product}` : fact.kind,
  )
  return [...groups.values()].map((group) => ({ what: factsOf(group.map(({ mail }) => mail.fact)), stored: group }))
}

function factsOf(facts: readonly MoneyFact[]): MailGroup<unknown>['what'] {
  const only = <Kind extends MoneyFact['kind']>(kind: Kind) =>
    facts.filter((fact): fact is Extract<MoneyFact, { kind: Kind }> => fact.kind === kind)
  const [first] = facts
  switch (first?.kind) {
    case 'card_expiring':
      return { kind: 'card_expiring', month: first.month }
    case 'canceled':
      return { kind: 'canceled', facts: only('canceled') }
    case 'payment_failed':
      return { kind: 'payment_failed', facts: only('payment_failed') }
    case 'invoice_sent':
      return { kind: 'invoice_sent', facts: only('invoice_sent') }
    default:
      return { kind: 'bought', facts: only('bought') }
  }
}
