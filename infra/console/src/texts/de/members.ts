import type { members as en } from '../en/members.ts'

/** The members of an organization and who is invited. */
export const members: typeof en = {
  title: 'Mitglieder',
  lead: (organization) => `Wer zu ${organization} gehört und was sie dort dürfen.`,
  you: 'Sie',
  deletedUser: 'Gelöschter Benutzer',
  roleOf: (name) => `Rolle von ${name}`,
  roleChanged: (name, role) => `${name} hat jetzt die Rolle ${role}`,
  find: {
    searchAll: 'Nach Name oder Adresse suchen',
    searchNames: 'Nach Name suchen',
    role: 'Rolle',
    anyRole: 'Jede Rolle',
    factor: 'Zweiter Faktor',
    anyFactor: 'Mit oder ohne',
    withFactor: 'Mit',
    withoutFactor: 'Ohne',
    sort: 'Sortieren nach',
    byName: 'Name',
    byRole: 'Rolle',
    none: 'Kein Mitglied passt dazu',
    showAll: 'Alle Mitglieder zeigen',
  },
  secondFactor: 'Zweiter Faktor',
  noSecondFactor: 'Kein zweiter Faktor',
  undo: 'Rückgängig machen',
  promote: {
    question: (name) => `${name} zum Inhaber machen?`,
    effects: (name, organization) =>
      `${name} kann dann jedes Mitglied ändern oder entfernen, auch Sie, und ${organization} löschen.`,
    confirm: 'Zum Inhaber machen',
    keep: 'Rolle behalten',
  },
  remove: {
    named: (name) => `${name} entfernen`,
    question: (name) => `${name} entfernen?`,
    confirm: 'Mitglied entfernen',
    effects: (name, organization) =>
      `${name} hat sofort keinen Zugriff mehr auf ${organization}. Sie können die Person erneut einladen.`,
    done: (name) => `${name} wurde entfernt`,
  },
  invite: {
    title: 'Jemanden einladen',
    email: 'E-Mail-Adresse',
    example: 'name@firma.de',
    role: 'Rolle',
    button: 'Einladung senden',
    done: (email) => `${email} wurde eingeladen`,
  },
  invitations: {
    title: 'Eingeladen',
    expires: (role, day) => `${role} · Gültig bis ${day}`,
    expired: (role, day) => `${role} · Abgelaufen am ${day}`,
    resend: 'Erneut senden',
    resendNamed: (email) => `Erneut senden an ${email}`,
    resent: (email) => `An ${email} ging ein neuer Link. Der frühere Link gilt nicht mehr.`,
    withdraw: 'Zurückziehen',
    withdrawNamed: (email) => `Einladung von ${email} zurückziehen`,
    withdrawn: (email) => `Die Einladung von ${email} wurde zurückgezogen`,
  },
}
