import type { account as en } from '../en/account.ts'

/** The pages of the user's own account. */
export const account: typeof en = {
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
  },
  email: {
    title: 'Ihre E-Mail-Adresse ändern',
    lead: 'Wir senden einen Link an die neue Adresse. Ihre Adresse ändert sich, wenn Sie den Link öffnen. Ihrer bisherigen Adresse schreiben wir das auch.',
    next: 'Neue E-Mail-Adresse',
    password: 'Aktuelles Passwort',
    button: 'E-Mail-Adresse ändern',
    mailed: (to, from) =>
      `Wir haben einen Link an ${to} gesendet. Öffnen Sie ihn innerhalb einer Stunde, um die neue Adresse zu bestätigen. Bis dahin ist Ihre Adresse ${from}.`,
    again:
      'Sie sind wieder angemeldet, und Ihre Adresse ist noch nicht geändert. Geben Sie dafür Ihr Passwort noch einmal ein.',
  },
  password: {
    title: 'Ihr Passwort ändern',
    lead: 'Das beendet Ihre Sitzungen in anderen Browsern und Anwendungen. Wir schreiben Ihnen dazu eine E-Mail.',
    current: 'Aktuelles Passwort',
    next: 'Neues Passwort',
    rule: 'Mindestens 8 Zeichen. Gut geeignet sind einige Wörter, die Sie sonst nirgends verwenden.',
    show: 'Passwörter anzeigen',
    hide: 'Passwörter verbergen',
    button: 'Passwort ändern',
    done: 'Ihr Passwort ist geändert, und Ihre anderen Sitzungen sind beendet',
    again:
      'Sie sind wieder angemeldet, und Ihr Passwort ist noch nicht geändert. Geben Sie dafür beide Passwörter noch einmal ein.',
  },
  data: {
    title: 'Ihre Daten',
    text: 'Ihr Profil, Ihre Organisationen und Rollen und was Sie dort getan haben, als JSON-Datei.',
    button: 'Ihre Daten herunterladen',
    file: 'konto.json',
  },
  deletion: {
    title: 'Ihr Konto löschen',
    lead: 'Sie werden sofort abgemeldet, und 30 Tage später wird alles Persönliche gelöscht. Bis dahin können Sie es mit dem Link in unserer E-Mail behalten.',
    button: 'Konto löschen',
    question: 'Ihr Konto löschen?',
    effects:
      'Organisationen, denen nur Sie angehören, werden mit ihm gelöscht. In Organisationen mit weiteren Inhabern erhalten Sie die Rolle Abrechnungsverwaltung.',
  },
  security: {
    title: 'Sicherheit',
    lead: 'Wo Sie angemeldet sind, wie Sie sich anmelden, und welche Anwendungen in Ihrem Namen handeln dürfen.',
    factors: 'Passkeys und zweite Faktoren',
    factorsText:
      'Passkeys, eine Authenticator-App und Wiederherstellungscodes schützen Ihr Konto, auch wenn jemand Ihr Passwort erfährt.',
    manageFactors: 'Passkeys und Faktoren verwalten',
    everywhere: {
      button: 'Überall abmelden',
      question: 'Überall abmelden?',
      keep: 'Angemeldet bleiben',
      effects:
        'Das beendet alle Sitzungen und meldet Sie auch hier ab. Links in E-Mails, die Sie noch nicht geöffnet haben, funktionieren nicht mehr.',
    },
  },
  activity: {
    title: 'Ihre Aktivität',
    lead: 'Anmeldungen und Änderungen Ihres Kontos in den letzten 90 Tagen. Nur Sie sehen sie.',
    none: 'Nichts in den letzten 90 Tagen',
    noneText: 'Hier erscheinen Anmeldungen und Änderungen Ihres Kontos.',
    mails: {
      title: 'E-Mails',
      name: 'Neue Anmeldungen',
      text: 'Wir senden Ihnen eine E-Mail, wenn Sie sich mit einem neuen Browser anmelden.',
      on: 'An',
      off: 'Aus',
      switchOn: 'Einschalten',
      switchOff: 'Ausschalten',
      switchedOn: 'Sie bekommen E-Mails über neue Anmeldungen',
      switchedOff: 'Sie bekommen keine E-Mails über neue Anmeldungen mehr',
    },
    types: {
      sign_in: 'Angemeldet',
      second_step_failed: 'Zweiter Schritt einer Anmeldung gescheitert',
      password_changed: 'Passwort geändert',
      password_reset: 'Neues Passwort per E-Mail',
      factor_added: 'Zweiter Faktor hinzugefügt',
      factor_removed: 'Zweiter Faktor entfernt',
      provider_connected: 'Anbieter zur Anmeldung verbunden',
      provider_disconnected: 'Anbieter zur Anmeldung getrennt',
      recovery_code_used: 'Wiederherstellungscode verwendet',
      email_changed: 'E-Mail-Adresse geändert',
      session_ended: 'Sitzung beendet',
      client_allowed: 'Einer Anwendung Zugriff gegeben',
      client_withdrawn: 'Zugriff einer Anwendung entfernt',
      deletion_requested: 'Löschung des Kontos verlangt',
      restored: 'Konto wiederhergestellt',
    },
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
    remove: {
      named: (name) => `Zugriff von ${name} entfernen`,
      question: (name) => `Zugriff von ${name} entfernen?`,
      confirm: 'Zugriff entfernen',
      effects: (name) =>
        `${name} wird sofort von Ihrem Konto abgemeldet und fragt Sie erneut, wenn Sie die Anwendung wieder verwenden.`,
      done: (name) => `${name} hat keinen Zugriff mehr`,
    },
  },
}
