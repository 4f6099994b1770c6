import type { invoiceList as en } from '../en/invoiceList.ts'

/** What the page of invoices finds, sums and saves. */
export const invoiceList: typeof en = {
  year: 'Jahr',
  anyYear: 'Alle Jahre',
  status: 'Status',
  anyStatus: 'Jeder Status',
  none: 'Keine Rechnung passt dazu',
  showAll: 'Alle Rechnungen zeigen',
  total: (year) => `Summe ${year}`,
  paid: (amount) => `${amount} bezahlt`,
  open: (amount) => `${amount} offen`,
  nothing: 'Keine Rechnungen',
  save: 'Als CSV herunterladen',
  file: 'rechnungen',
  columns: {
    number: 'Nummer',
    date: 'Datum',
    status: 'Status',
    product: 'Produkt',
    amount: 'Betrag',
    paid: 'Bezahlt',
    currency: 'Währung',
    due: 'Fällig',
    paidOn: 'Bezahlt am',
    pdf: 'PDF',
  },
}
