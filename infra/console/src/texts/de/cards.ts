import type { cards as en } from '../en/cards.ts'

/** The cards that pay. */
export const cards: typeof en = {
  title: 'Karten',
  lead: 'Womit Ihre Abonnements bezahlt werden.',
  byInvoice: 'Ihre Organisation zahlt auf Rechnung, ohne Karte',
  seeInvoices: 'Rechnungen ansehen',
  none: 'Noch keine Karte',
  noneText: 'Fügen Sie die Karte hinzu, mit der Ihre Abonnements bezahlt werden.',
  saved: 'Gespeicherte Karten',
  savedHint: 'Mit der Standardkarte wird bezahlt, wenn Sie keine andere wählen.',
  name: (brand, last4) => `${brand} mit der Endung ${last4}`,
  card: 'Karte',
  expires: (month) => `Gültig bis ${month}`,
  expired: (month) => `Abgelaufen ${month}`,
  isExpired: 'Abgelaufen',
  isDefault: 'Standard',
  makeDefault: 'Als Standard',
  makeDefaultNamed: (name) => `Als Standard: ${name}`,
  paysFor: (products) => `Bezahlt ${products}`,
  neverPaid: 'Mit dieser Karte wurde noch nicht bezahlt',
  isDefaultNow: (name) => `${name} ist jetzt die Standardkarte`,
  remove: {
    named: (name) => `Entfernen: ${name}`,
    question: 'Diese Karte entfernen?',
    confirm: 'Karte entfernen',
    free: (name) => `Mit ${name} wird nichts bezahlt.`,
    moves: (products, to = 'einer anderen Karte, mit der schon bezahlt wurde,') =>
      `Künftig wird mit ${to} bezahlt: ${products}.`,
    newDefault: (to = 'eine andere Karte, mit der schon bezahlt wurde,') => `Künftig ist ${to} die Standardkarte.`,
    blocked: (name) =>
      `Noch mit keiner anderen Karte wurde bezahlt. ${name} lässt sich nur entfernen, wenn nichts abonniert ist oder mit einer anderen Karte bezahlt wurde.`,
    done: (name) => `${name} wurde entfernt`,
  },
  add: {
    open: 'Karte hinzufügen',
    title: 'Karte hinzufügen',
    button: 'Karte hinzufügen',
    done: 'Die Karte ist hinzugefügt',
  },
  payWith: 'Bezahlen mit',
  new: 'Neue Karte',
  privacy: 'Die Kartendaten gehen direkt an Stripe. Wir sehen sie nie.',
}
