import type { session as en } from '../en/session.ts'

/** The sign-in and the user's own account. */
export const session: typeof en = {
  welcome: {
    page: 'Anmelden',
    title: 'Alles, was Ihre Geräte brauchen, an einem Ort',
    lead: 'Wählen Sie die Produkte, die Ihr Team verwendet, und verwalten Sie, wofür Sie bezahlen.',
    button: 'Anmelden',
    hint: 'Neu hier? Auf der nächsten Seite können Sie ein Konto erstellen.',
  },
  signingIn: 'Sie werden angemeldet',
  notices: {
    expired: 'Ihre Anmeldung ist abgelaufen. Melden Sie sich erneut an.',
    refused: 'Sie haben sich nicht angemeldet.',
    signed_out: 'Sie sind abgemeldet.',
    signed_out_elsewhere: 'Sie haben sich in einem anderen Tab abgemeldet.',
    signed_out_everywhere: 'Sie sind überall abgemeldet.',
    account_deleted: (day) =>
      `Ihr Konto wird am ${day} gelöscht. Mit dem Link in unserer E-Mail machen Sie das rückgängig.`,
  },
  handedOver: {
    page: 'Anderes Konto',
    title: (name) => `Sie haben sich in einem anderen Tab als ${name ?? 'jemand anderes'} angemeldet`,
    text: 'Dieser Tab zeigte Ihr anderes Konto. Laden Sie ihn neu: Bis dahin ändert er an keinem der beiden Konten etwas.',
    button: 'Neu laden',
  },
  notSignedInAgain: 'Sie haben sich nicht erneut angemeldet, deshalb wurde nichts geändert',
  profile: {
    title: 'Ihr Profil',
    lead: 'So erscheinen Sie den Mitgliedern Ihrer Organisationen.',
    username: 'Benutzername',
    email: 'E-Mail-Adresse',
    verified: 'Bestätigt',
    notVerified: 'Nicht bestätigt',
    memberSince: 'Konto seit',
    save: 'Speichern',
    saved: 'Ihr Profil ist gespeichert',
    security: 'Sicherheit',
    securityText:
      'Passkeys, eine Authenticator-App und Wiederherstellungscodes schützen Ihr Konto, wenn Ihr Passwort bekannt wird.',
    securityLink: 'Anmeldung und Sicherheit',
  },
  data: {
    title: 'Ihre Daten',
    text: 'Ihr Profil, Ihre Organisationen und Rollen und was Sie dort getan haben, als JSON-Datei.',
    button: 'Ihre Daten herunterladen',
    file: 'konto.json',
  },
  deletion: {
    title: 'Ihr Konto löschen',
    text: 'Sie werden sofort abgemeldet, und 30 Tage später wird alles Persönliche gelöscht. Bis dahin machen Sie das mit dem Link in unserer E-Mail rückgängig.',
    button: 'Konto löschen',
    question: 'Ihr Konto löschen?',
    effects:
      'Organisationen, denen nur Sie angehören, werden mit ihm gelöscht. In Organisationen mit weiteren Inhabern erhalten Sie die Rolle Abrechnungsverwaltung.',
  },
  security: {
    title: 'Sicherheit',
    lead: 'Wo Sie angemeldet sind, und welche Anwendungen in Ihrem Namen handeln dürfen.',
    everywhere: 'Überall abmelden',
    everywhereQuestion: 'Überall abmelden?',
    everywhereText:
      'Das beendet alle Sitzungen und meldet Sie auch hier ab. Links in E-Mails, die Sie noch nicht geöffnet haben, funktionieren nicht mehr.',
    stay: 'Angemeldet bleiben',
  },
  sessions: {
    title: 'Sitzungen',
    hint: 'Sie kennen eine davon nicht? Beenden Sie sie, und ändern Sie Ihr Passwort.',
    unknownBrowser: 'Unbekannter Browser',
    browser: (name) => name.replace(' on ', ' unter '),
    current: 'Diese Sitzung',
    since: (client, day) => `${client} · Seit ${day}`,
    lastUsed: (time) => `Zuletzt verwendet: ${time}`,
    end: 'Beenden',
    endNamed: (client, browser) => `Sitzung von ${client} in ${browser} beenden`,
    ended: (browser) => `Die Sitzung in ${browser} ist beendet`,
  },
  consents: {
    title: 'Anwendungen mit Zugriff',
    none: 'Keine Anwendung hat Zugriff',
    noneText: 'Hier erscheinen Anwendungen, denen Sie bei der Anmeldung Zugriff geben.',
    since: (day) => `Seit ${day}`,
    removeNamed: (name) => `Zugriff von ${name} entfernen`,
    question: (name) => `Zugriff von ${name} entfernen?`,
    confirm: 'Zugriff entfernen',
    effects: (name) =>
      `${name} wird sofort von Ihrem Konto abgemeldet und fragt Sie erneut, wenn Sie die Anwendung wieder verwenden.`,
    removed: (name) => `${name} hat keinen Zugriff mehr`,
  },
}
