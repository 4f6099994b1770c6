import type { invoices as en } from '../en/invoices.ts'

/** Invoices, sent and paid. */
export const invoices: typeof en = {
  title: 'Rechnungen',
  lead: 'Sie bekommen eine Rechnung für jeden Kauf und jede Verlängerung.',
  all: 'Alle Rechnungen',
  none: 'Noch keine Rechnungen',
  noneSent: 'Die erste kommt etwa eine Stunde, nachdem Sie ein Produkt gekauft haben.',
  noneCharged: 'Die erste erscheint hier, sobald Sie ein Produkt kaufen.',
  terms: 'Sie erhalten Rechnungen per E-Mail und bezahlen sie per Überweisung; auf jeder steht, bis wann.',
  toPay: 'Zu bezahlen',
  nothingToPay: 'Nichts zu bezahlen.',
  columns: { invoice: 'Rechnung', date: 'Datum', status: 'Status', amount: 'Betrag', links: 'Links' },
  states: { paid: 'Bezahlt', open: 'Offen', uncollectible: 'Nicht eingezogen', void: 'Storniert' },
  draft: 'Entwurf',
  severalProducts: 'Mehrere Produkte',
  thisPurchase: 'dieser Kauf',
  number: (number) => `Rechnung ${number}`,
  due: (day) => `Fällig am ${day}`,
  dueToday: 'Heute fällig',
  left: (days) => `Noch ${days}`,
  overdue: 'Überfällig',
  overdueBy: (days) => `${days} überfällig`,
  pay: 'Bezahlen',
  payInvoice: 'Rechnung bezahlen',
  spoken: {
    pay: (what) => `: ${what}, in einem neuen Tab`,
    view: (invoice) => `: Rechnung ${invoice}, in einem neuen Tab`,
    pdf: (invoice) => ` von Rechnung ${invoice}`,
  },
  view: 'Ansehen',
  pdf: 'PDF',
}
