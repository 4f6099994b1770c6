import type { app as en } from '../en/app.ts'

/** The frame of the pages, and the texts that are shown before any page. */
export const app: typeof en = {
  title: (page) => `${page} · Console`,
  loading: 'Wird geladen',
  failed: {
    title: 'Die Console konnte nicht geladen werden',
    text: 'Prüfen Sie Ihre Internetverbindung, und versuchen Sie es dann erneut.',
  },
  offline: 'Sie sind offline. Was Sie sehen, ist vielleicht nicht aktuell.',
  skip: 'Zum Inhalt springen',
  menu: 'Menü',
  language: 'Sprache',
  navigation: { organization: 'Organisation', organizations: 'Organisationen', account: 'Konto' },
  pages: {
    overview: 'Übersicht',
    products: 'Produkte',
    cards: 'Karten',
    invoices: 'Rechnungen',
    details: 'Rechnungsangaben',
    members: 'Mitglieder',
    domains: 'Domains',
    sso: 'Firmenanmeldung',
    'sign-in-rules': 'Anmelderegeln',
    'api-clients': 'API-Clients',
    webhooks: 'Webhooks',
    activity: 'Aktivitäten',
    settings: 'Einstellungen',
  },
  security: 'Sicherheit',
  accountActivity: 'Ihre Aktivität',
  keys: 'Tastatur',
  signOut: 'Abmelden',
  unknown: {
    title: 'Diese Seite gibt es nicht',
    lead: 'Vielleicht ist die Adresse falsch geschrieben, oder die Seite ist umgezogen.',
    link: 'Zu Ihren Organisationen',
  },
  refused: {
    signInAgain: {
      title: 'Neu anmelden',
      lead: 'Diese Organisation verlangt eine neuere Anmeldung oder eine Anmeldung mit Ihrem zweiten Faktor.',
      button: 'Neu anmelden',
    },
    signOn: {
      title: 'Über Ihr Unternehmen anmelden',
      lead: 'Mitglieder dieser Organisation melden sich über das Unternehmen an.',
      button: 'Weiter',
    },
    addFactor: {
      title: 'Zweiter Faktor nötig',
      lead: 'Die Inhaber dieser Organisation verlangen einen zweiten Faktor. Fügen Sie Ihrem Konto einen Passkey oder eine Authenticator-App hinzu und kommen Sie dann zurück.',
      link: 'Zu „Sicherheit“',
      button: 'Ich habe einen hinzugefügt',
    },
  },
  notForYou: {
    title: 'Nicht für Ihre Rolle',
    lead: 'Fragen Sie einen Inhaber der Organisation, wenn Sie diese Seite brauchen.',
    link: 'Zur Übersicht',
  },
}
