/** The cards that pay. */
export const cards = {
  title: 'Cards',
  lead: 'The cards that pay for your subscriptions.',
  byInvoice: 'Your organization pays by invoice, without a card',
  seeInvoices: 'See invoices',
  none: 'No card yet',
  noneText: 'Add a card to pay for your subscriptions.',
  saved: 'Saved cards',
  savedHint: 'The default card pays for what you buy, unless you choose another.',
  name: (brand: string, last4: string) => `${brand} ending in ${last4}`,
  /** For a brand that is not known. */
  card: 'Card',
  expires: (month: string) => `Expires ${month}`,
  expired: (month: string) => `Expired ${month}`,
  isExpired: 'Expired',
  isDefault: 'Default',
  makeDefault: 'Make default',
  makeDefaultNamed: (name: string) => `Make default: ${name}`,
  paysFor: (products: string) => `Pays for ${products}`,
  neverPaid: 'Has not paid yet',
  isDefaultNow: (name: string) => `${name} is now the default card`,
  remove: {
    named: (name: string) => `Remove ${name}`,
    question: 'Remove this card?',
    confirm: 'Remove card',
    free: (name: string) => `${name} pays for nothing.`,
    /** @param to the card that follows, if it is certain */
    moves: (products: string, to?: string) =>
      `From now on, ${to ?? 'another card that has paid'} pays for ${products}.`,
    newDefault: (to?: string) => `From now on, ${to ?? 'another card that has paid'} is the default card.`,
    blocked: (name: string) =>
      `No other card has paid yet. ${name} can be removed only when nothing is subscribed, or when another card has paid.`,
    done: (name: string) => `${name} is removed`,
  },
  add: { open: 'Add a card', title: 'Add a card', button: 'Add card', done: 'The card is added' },
  payWith: 'Pay with',
  new: 'New card',
  privacy: 'Card details go straight to Stripe. We never see them.',
}
