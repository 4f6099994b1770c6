import type { products as en } from '../en/products.ts'
import { productDescriptions } from './productDescriptions.ts'

const andInvoice = (isOpen: boolean) => (isOpen ? '. Eine Rechnung ist offen.' : '')

/** The organization's products, and those that it can add. */
export const products: typeof en = {
  title: 'Produkte',
  lead: (organization) => `Was ${organization} verwendet, und was Sie hinzufügen können.`,
  invoicesElsewhere:
    'Ihre Organisation erhält Rechnungen und bezahlt sie per Überweisung. Ihre Inhaber und die Abrechnungsverwaltung sehen sie.',
  yours: 'Ihre Abonnements',
  none: 'Noch keine Abonnements',
  addBelow: 'Fügen Sie unten ein Produkt zu Ihrer Bestellung hinzu. Sie können jederzeit kündigen.',
  buyers: 'Inhaber und Abrechnungsverwaltung kaufen und kündigen.',
  seeMembers: 'Mitglieder ansehen',
  askOwner: 'Ein Inhaber oder die Abrechnungsverwaltung Ihrer Organisation kann Produkte hinzufügen.',
  available: 'Verfügbare Produkte',
  descriptions: productDescriptions,
  price: (amount, interval) => `${amount} / ${interval}`,
  add: 'Hinzufügen',
  addNamed: (name) => `Hinzufügen: ${name} zur Bestellung`,
  added: 'Hinzugefügt',
  addedNamed: (name) => `Hinzugefügt: ${name}. Aus der Bestellung entfernen`,
  coupon: (code) => `Gutschein ${code}`,
  states: {
    canceled: { badge: 'Beendet', line: (day) => `Beendet am ${day}` },
    wait: { badge: 'In Bearbeitung', line: 'Die Zahlung wird verarbeitet.' },
    confirm: { badge: 'Bestätigung nötig', line: 'Ihre Bank bittet Sie, die Zahlung zu bestätigen.' },
    incomplete: {
      badge: 'Zahlung fehlgeschlagen',
      line: 'Die Zahlung ist fehlgeschlagen. Das Abonnement beginnt, sobald es bezahlt ist.',
    },
    overdue: {
      badge: 'Zahlung überfällig',
      line: 'Die letzte Zahlung ist fehlgeschlagen. Bezahlen Sie sie, um das Produkt zu behalten.',
    },
    invoiceOverdue: {
      badge: 'Rechnung überfällig',
      line: 'Eine Rechnung ist überfällig. Das Produkt funktioniert noch: Bezahlen Sie die Rechnung, um es zu behalten.',
    },
    invoiceUnpaid: {
      badge: 'Rechnung überfällig',
      line: 'Eine Rechnung wurde nicht rechtzeitig bezahlt. Das Produkt funktioniert wieder, sobald sie bezahlt ist.',
    },
    paused: { badge: 'Pausiert', line: 'Es ist pausiert. Wenden Sie sich an den Support, um es fortzusetzen.' },
    ending: {
      badge: 'Endet bald',
      line: (day, isInvoiceOpen) => `Gekündigt. Funktioniert bis ${day}${andInvoice(isInvoiceOpen)}`,
    },
    trialing: {
      badge: 'Testphase',
      line: (day, isInvoiceOpen) => `Testphase bis ${day}${andInvoice(isInvoiceOpen)}`,
      charged: (day, isInvoiceOpen, amount) => `Testphase bis ${day}, danach ${amount}${andInvoice(isInvoiceOpen)}`,
    },
    active: {
      badge: 'Aktiv',
      line: (day, isInvoiceOpen) => `Verlängert sich am ${day}${andInvoice(isInvoiceOpen)}`,
      charged: (day, isInvoiceOpen, amount) => `Verlängert sich am ${day} für ${amount}${andInvoice(isInvoiceOpen)}`,
    },
    invoiced: {
      badge: 'Aktiv',
      line: (day, isInvoiceOpen) => `Verlängert sich am ${day}${andInvoice(isInvoiceOpen)}`,
      charged: (day, isInvoiceOpen, amount) => `Nächste Rechnung: ${amount} am ${day}${andInvoice(isInvoiceOpen)}`,
    },
  },
  nextCharge: {
    attempt: (amount, day) => `Nächster Versuch: ${amount} am ${day}`,
    invoice: (amount, day) => `Nächste Rechnung: ${amount} am ${day}`,
  },
  actions: {
    confirm: 'Zahlung bestätigen',
    confirmNamed: (name) => `Zahlung bestätigen: ${name}`,
    pay: 'Jetzt bezahlen',
    payNamed: (name) => `Jetzt bezahlen: ${name}`,
    paid: (name) => `${name} ist bezahlt`,
    resume: 'Fortsetzen',
    resumeNamed: (name) => `Fortsetzen: ${name}`,
    resumed: (name) => `${name} verlängert sich wieder`,
    cancel: 'Kündigen',
    cancelNamed: (name) => `Kündigen: ${name}`,
  },
  payPanel: {
    title: (name) => `${name} bezahlen`,
    hint: 'Die Karte wird Ihre Standardkarte, auch für Verlängerungen.',
  },
  cancellation: {
    question: (name) => `${name} kündigen?`,
    confirm: 'Abonnement kündigen',
    unpaid: 'Der Kauf ist nicht abgeschlossen. Er endet sofort, und nichts wird berechnet.',
    until: (day) => `Es funktioniert noch bis ${day} und wird nicht verlängert.`,
    notRenewed: 'Es wird nicht verlängert.',
    invoiceRemains: 'Die offene Rechnung ist weiterhin zu bezahlen.',
    undo: 'Bis dahin können Sie es fortsetzen.',
    why: 'Warum kündigen Sie? (freiwillig)',
    noReason: 'Keine Angabe',
    reasons: {
      too_expensive: 'Es ist zu teuer',
      missing_features: 'Es fehlen Funktionen, die wir brauchen',
      unused: 'Wir nutzen es nicht',
      switched_service: 'Wir nutzen jetzt einen anderen Dienst',
      other: 'Ein anderer Grund',
    },
    done: (name) => `${name} ist gekündigt`,
    doneUntil: (name, day) => `${name} ist gekündigt. Es funktioniert bis ${day}`,
  },
}
