import type { orders as en } from '../en/orders.ts'

/** The order and its results. */
export const orders: typeof en = {
  title: 'Ihre Bestellung',
  empty: 'Ihre Bestellung ist leer. Fügen Sie ein Produkt hinzu, um zu sehen, was es kostet.',
  kept: 'Ihre Bestellung bleibt erhalten.',
  back: 'Zurück zur Bestellung',
  remove: (name) => `${name} entfernen`,
  done: 'Fertig',
  coupon: {
    label: 'Gutschein',
    chosen: (code) => `Gutschein ${code}`,
    add: 'Gutschein hinzufügen',
    apply: 'Einlösen',
    remove: 'Gutschein entfernen',
    invalid: 'Ein Gutschein hat nur Buchstaben, Ziffern und Striche.',
    discount: (amount) => `${amount} Rabatt durch den Gutschein`,
    once: (name) =>
      `Ein Gutschein gilt einmal pro Person und für ein Produkt: hier für ${name}. Kaufen Sie die anderen danach zum vollen Preis.`,
  },
  bar: (count, total) => `${count} ${count === 1 ? 'Produkt' : 'Produkte'}, ${total} · Bezahlen`,
  discount: 'Rabatt',
  tax: 'Steuer',
  dueNow: 'Jetzt fällig',
  invoicedNow: 'Jetzt in Rechnung gestellt',
  buy: 'Kaufen',
  buyByInvoice: 'Auf Rechnung kaufen',
  pay: (amount) => `${amount} bezahlen`,
  chargedHint: 'Wird jetzt und bei jeder Verlängerung abgebucht. Jederzeit kündbar.',
  invoicedHint: 'Wird jetzt und bei jeder Verlängerung in Rechnung gestellt. Jederzeit kündbar.',
  missing: (details) =>
    `Bevor Sie kaufen können, brauchen wir ${details} für Ihre Rechnungen. Ihre Bestellung bleibt so lange erhalten.`,
  missingDetails: {
    name: 'einen Namen',
    email: 'eine E-Mail-Adresse',
    address: 'eine gültige Anschrift',
    whole_address: 'eine Anschrift',
    'address.line1': 'Straße und Hausnummer',
    'address.city': 'einen Ort',
    'address.country': 'ein Land',
    'address.postal_code': 'eine Postleitzahl',
  },
  fillIn: 'Rechnungsangaben ausfüllen',
  bought: 'Gekauft',
  boughtNames: (names) => `Gekauft: ${names}`,
  confirming: 'Warten auf die Bestätigung Ihrer Bank',
  unconfirmed: (problem) => `${problem} Sie können unter „Ihre Abonnements“ bezahlen.`,
  refusals: {
    unknown_plan: 'Dieses Produkt wird nicht mehr verkauft.',
    not_for_sale: 'Dieses Produkt ist zurzeit nicht erhältlich.',
    price_changed: 'Der Preis hat sich geändert. Bitte prüfen Sie die neue Summe.',
    already_subscribed: 'Ihre Organisation hat das bereits.',
    checkout_in_progress: 'Ein Kauf dieses Produkts wird gerade abgeschlossen. Versuchen Sie es gleich noch einmal.',
    coupon_already_redeemed:
      'Der Gutschein gilt einmal und wurde schon eingelöst. Entfernen Sie ihn, um zum vollen Preis zu kaufen.',
    coupon_invalid: 'Dieser Gutschein ist unbekannt.',
    coupon_expired: 'Der Gutschein ist abgelaufen oder aufgebraucht.',
    coupon_not_applicable: 'Der Gutschein gilt nicht für diesen Kauf.',
    payment_method_required: 'Wählen Sie eine Karte, mit der Sie bezahlen.',
    payment_method_invalid: 'Diese Karte kann nicht mehr verwendet werden. Wählen Sie eine andere.',
    billing_details_required: 'Ergänzen Sie zuerst unter Rechnungsangaben, was fehlt.',
    currency_mismatch:
      'Dieses Produkt wird in einer anderen Währung verkauft, und eine Organisation bezahlt nur in einer. Entfernen Sie es aus der Bestellung.',
    invoice_overdue:
      'Eine Rechnung Ihrer Organisation ist überfällig. Bezahlen Sie sie zuerst: Sie finden sie unter „Rechnungen“.',
    gateway_refused: 'Der Zahlungsdienstleister hat diesen Kauf abgelehnt. Es wurde nichts berechnet.',
    gateway_unavailable:
      'Wir wissen noch nicht, ob der Kauf geklappt hat. Versuchen Sie es erneut: Sie bezahlen nie doppelt.',
    organization_deleting:
      'Diese Organisation wird gelöscht. Ein Inhaber kann sie in den Einstellungen wiederherstellen.',
  },
  declined: () => 'Die Bank hat die Karte abgelehnt. Es wurde nichts berechnet. Versuchen Sie es mit einer anderen.',
  couponUsedByAnother: 'Der Gutschein gilt für ein Produkt. Kaufen Sie dieses danach, zum vollen Preis.',
  notBought: 'Das wurde nicht gekauft. Es wurde nichts berechnet.',
}
