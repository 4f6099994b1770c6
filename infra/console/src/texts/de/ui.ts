import type { ui as en } from '../en/ui.ts'

/** Texts of many pages. */
export const ui: typeof en = {
  keep: 'Behalten',
  close: 'Schließen',
  remove: 'Entfernen',
  tryAgain: 'Erneut versuchen',
  showMore: 'Mehr anzeigen',
  optional: 'Optional',
  requestId: 'Anfrage-ID',
  typeToConfirm: (word) => `Geben Sie zur Bestätigung „${word}“ ein`,
  copy: 'Kopieren',
  copyNamed: (label) => `${label} kopieren`,
  copied: (label) => `${label} kopiert`,
  copyByHand: 'Der Browser erlaubt das nicht. Markieren Sie den Text und kopieren Sie ihn.',
  loading: {
    activity: 'Aktivitäten werden geladen',
    apiClients: 'API-Clients werden geladen',
    applications: 'Anwendungen werden geladen',
    cards: 'Karten werden geladen',
    details: 'Rechnungsangaben werden geladen',
    invoices: 'Rechnungen werden geladen',
    members: 'Mitglieder werden geladen',
    openInvoices: 'Offene Rechnungen werden geladen',
    organization: 'Organisation wird geladen',
    organizations: 'Organisationen werden geladen',
    page: 'Die Seite wird geladen',
    products: 'Produkte werden geladen',
    sessions: 'Sitzungen werden geladen',
    notifications: 'Ihre Einstellungen für E-Mails werden geladen',
    subscriptions: 'Abonnements werden geladen',
  },
}
