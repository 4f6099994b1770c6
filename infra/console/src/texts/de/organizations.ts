import type { organizations as en } from '../en/organizations.ts'

/** Organizations: choosing, creating, naming, handing over and deleting. */
export const organizations: typeof en = {
  roles: { owner: 'Inhaber', billing_admin: 'Abrechnungsverwaltung', member: 'Mitglied' },
  roleHints: {
    owner: 'Verwaltet Mitglieder, Abrechnung und die Organisation.',
    billing_admin: 'Kauft und kündigt Produkte, verwaltet Karten und Rechnungen.',
    member: 'Sieht, welche Produkte die Organisation hat.',
  },
  switch: 'Organisation wechseln',
  choose: {
    title: 'Ihre Organisationen',
    lead: (username) => `Willkommen, ${username}. Wählen Sie eine Organisation.`,
    new: 'Neue Organisation',
    requiresFactor: (day) => `Zweiter Faktor verlangt ab ${day}`,
  },
  first: {
    title: 'Wie heißt Ihre Organisation?',
    lead: 'Produkte gehören zu einer Organisation. Erstellen Sie eine für Ihr Team, oder bitten Sie deren Inhaber um eine Einladung.',
  },
  received: {
    title: 'Einladungen',
    by: (inviter, role) => `${inviter} lädt Sie ein. Ihre Rolle: ${role}`,
    byDomain: 'Ihr gehört die Domain Ihrer E-Mail-Adresse. Ihre Rolle: Mitglied',
    until: (day) => `Bis ${day}`,
    accept: {
      button: 'Annehmen',
      named: (organization) => `Einladung von ${organization} annehmen`,
      done: (organization) => `Sie gehören jetzt zu ${organization}`,
    },
    decline: {
      button: 'Ablehnen',
      named: (organization) => `Einladung von ${organization} ablehnen`,
      done: (organization) => `Sie haben die Einladung von ${organization} abgelehnt`,
    },
    one: (organization) => `${organization} lädt Sie ein.`,
    several: (count) => `${count} Organisationen laden Sie ein.`,
    look: 'Ansehen',
  },
  new: {
    title: 'Neue Organisation',
    lead: 'Mitglieder, Produkte und Rechnungen gehören zu ihr. Sie werden ihr Inhaber.',
    name: 'Name',
    hint: 'Ihr Unternehmen oder Team. Der Name steht auf Rechnungen; Sie können ihn später ändern.',
    button: 'Organisation erstellen',
    back: 'Zurück',
    ready: (name) => `${name} ist bereit`,
  },
  settings: {
    title: 'Einstellungen',
    lead: (organization) => `Wie ${organization} heißt, und wem die Organisation gehört.`,
  },
  rename: {
    title: 'Name',
    label: 'Name der Organisation',
    button: 'Namen speichern',
    done: 'Die Organisation ist umbenannt',
  },
  transfer: {
    title: 'Übergeben',
    lead: 'Ein anderes Mitglied wird Inhaber. Sie behalten die Rolle Abrechnungsverwaltung.',
    noOthers: 'Laden Sie zuerst jemanden ein: Es gibt noch kein anderes Mitglied.',
    newOwner: 'Neuer Inhaber',
    choose: 'Mitglied auswählen',
    thisMember: 'dieses Mitglied',
    button: 'Übergeben',
    question: (organization) => `${organization} übergeben?`,
    keep: 'Inhaber bleiben',
    effects: (name) =>
      `${name} wird Inhaber. Sie erhalten die Rolle Abrechnungsverwaltung, und nur ${name} kann das ändern.`,
    done: (name, organization) => `${organization} gehört jetzt ${name}`,
  },
  leave: {
    title: 'Organisation verlassen',
    lead: 'Sie verlieren sofort den Zugriff. Ein Inhaber kann Sie erneut einladen.',
    button: 'Organisation verlassen',
    question: (organization) => `${organization} verlassen?`,
    keep: 'Bleiben',
    effects: 'Sie verlieren sofort den Zugriff. Die Abonnements laufen weiter.',
    done: (organization) => `Sie haben ${organization} verlassen`,
  },
  deletion: {
    title: 'Organisation löschen',
    lead: 'Sie wird nach 30 Tagen gelöscht, mit ihren Mitgliedern, Einladungen und Rechnungsangaben. Bis dahin kann jeder Inhaber sie wiederherstellen. Kündigen Sie zuerst die Abonnements.',
    scheduled: (day) =>
      `Sie wird am ${day} gelöscht. Bis dahin kann nichts gekauft werden, und niemand kann beitreten.`,
    button: 'Organisation löschen',
    restore: 'Organisation wiederherstellen',
    question: (organization) => `${organization} löschen?`,
    effects:
      'Alle Mitglieder verlieren in 30 Tagen den Zugriff, und alles wird gelöscht. Vorher kann jeder Inhaber sie wiederherstellen.',
    done: (organization, day) => `${organization} wird am ${day} gelöscht`,
    restored: (organization) => `${organization} ist wiederhergestellt`,
  },
}
