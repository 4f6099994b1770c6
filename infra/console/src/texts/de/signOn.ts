import type { signOn as en } from '../en/signOn.ts'

export const signOn: typeof en = {
  title: 'Firmenanmeldung',
  lead: (organization) => `Lassen Sie die Mitglieder von ${organization} mit dem Anbieter Ihrer Firma anmelden.`,
  needsDomain: {
    title: 'Bestätigen Sie zuerst eine Domain',
    text: 'Die Firmenanmeldung ist für Personen mit einer Adresse Ihrer Domain.',
    link: 'Zu den Domains',
  },
  withoutDomain:
    'Zurzeit ist keine Domain bestätigt, deshalb wird niemand zu Ihrem Anbieter geleitet. Bestätigen Sie wieder eine Domain.',
  stateTitle: 'Ihr Anbieter',
  statuses: { optional: 'Aktiv', required: 'Pflicht' },
  explained: {
    optional: 'Mitglieder mit einer Adresse Ihrer Domain können sich damit anmelden.',
    required: 'Mitglieder mit einer Adresse Ihrer Domain erreichen diese Organisation nur damit.',
  },
  breakGlass: {
    you: 'Sie können sich weiterhin ohne sie anmelden und so helfen, wenn der Anbieter ausfällt. Bevor Sie die Organisation verlassen, muss ein anderer Inhaber diese Seite speichern.',
    other: (name) => `${name} kann sich weiterhin ohne sie anmelden und helfen, wenn der Anbieter ausfällt.`,
    unknown: 'Ein anderer Inhaber',
  },
  provider: {
    title: 'Tragen Sie uns bei Ihrem Anbieter ein',
    lead: 'Legen Sie dort eine Anwendung für OpenID Connect (Web, Authorization Code) mit diesen Adressen an. Seine Logout-Anfragen können eine Sitzung (sid) nennen, müssen es aber nicht.',
    redirect: 'Weiterleitungs-URI',
    logout: 'URI für Back-Channel-Logout',
  },
  form: {
    create: 'Firmenanmeldung einrichten',
    edit: 'Firmenanmeldung ändern',
    issuer: 'Aussteller (Issuer)',
    issuerHint: 'Die Adresse Ihres Anbieters, genau wie er sich selbst nennt.',
    issuerProblem:
      'Geben Sie eine Adresse mit https und ohne Passwort an, auf einem Server, der aus dem Internet erreichbar ist.',
    clientId: 'Client-ID',
    secret: 'Client-Geheimnis',
    secretHint: 'Wir speichern es verschlüsselt und zeigen es nie an.',
    secretStays:
      'Lassen Sie das Feld leer, um das gespeicherte Geheimnis zu behalten. Wir speichern es verschlüsselt und zeigen es nie an.',
    secretAgain: 'Geben Sie das Client-Geheimnis noch einmal ein: Während der Anmeldung wurde es nicht aufbewahrt.',
    options: 'Was sie bewirkt',
    enforced: 'Pflicht',
    enforcedHint:
      'Mitglieder mit einer Adresse Ihrer Domain erreichen diese Organisation nur damit. Sie selbst sind ausgenommen.',
    trustAcr: 'Zwei Faktoren dort genügen',
    trustAcrHint: 'Sagt Ihr Anbieter, dass er zwei Faktoren verlangt hat, fragen wir nach keinem zweiten.',
    save: 'Speichern',
    done: 'Gespeichert',
  },
  test: {
    button: 'Testen',
    running: 'Test läuft',
    good: 'Ihr Anbieter antwortet. Ob Client-ID und Geheimnis stimmen, zeigt die erste Anmeldung.',
    bad: (reason) => `Eine Anmeldung würde jetzt scheitern: ${reason}.`,
    unknown: 'Der Grund ist unbekannt',
    faults: {
      timeout: 'Ihr Anbieter braucht zu lange',
      connection_failed: 'Die Verbindung kommt nicht zustande',
      bad_certificate: 'Sein Zertifikat ist nicht gültig',
      bad_answer: 'Er antwortet nicht mit den Metadaten dieses Ausstellers',
      not_a_url: 'Der Aussteller ist keine Adresse',
      not_https: 'Der Aussteller hat kein https',
      has_credentials: 'Der Aussteller enthält ein Passwort',
      not_resolved: 'Der Name des Ausstellers wurde nicht gefunden',
      forbidden_address: 'Die Adresse des Ausstellers ist nicht öffentlich',
    },
  },
  remove: {
    button: 'Löschen',
    question: 'Firmenanmeldung löschen?',
    confirm: 'Firmenanmeldung löschen',
    effects:
      'Mitglieder melden sich dann ohne Ihren Anbieter an. Wer kein Passwort hat, setzt eines über „Passwort vergessen?“.',
    done: 'Die Firmenanmeldung ist gelöscht',
  },
}
