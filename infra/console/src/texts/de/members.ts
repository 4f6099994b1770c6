import type { members as en } from '../en/members.ts'

/** The members of an organization and who is invited. */
export const members: typeof en = {
  title: 'Mitglieder',
  lead: (organization) => `Wer zu ${organization} gehört und was sie dort dürfen.`,
  you: 'Sie',
  deletedUser: 'Gelöschter Benutzer',
  roleOf: (name) => `Rolle von ${name}`,
  roleChanged: (name, role) => `${name} hat jetzt die Rolle ${role}`,
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
    withdraw: 'Zurückziehen',
    withdrawNamed: (email) => `Einladung von ${email} zurückziehen`,
    withdrawn: (email) => `Die Einladung von ${email} wurde zurückgezogen`,
  },
}
