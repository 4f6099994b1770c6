import type { overview as en } from '../en/overview.ts'

/** The first page of an organization. */
export const overview: typeof en = {
  title: 'Übersicht',
  lead: (organization) => `${organization} auf einen Blick.`,
  choose: 'Produkte auswählen',
  manage: 'Produkte verwalten',
  see: 'Produkte ansehen',
  figures: {
    running: 'Verlängert sich für',
    runningHint: 'Vor Rabatt und Steuer',
    next: 'Nächste Zahlung',
    charge: (amount, day) => `${amount} am ${day}`,
    nothing: 'Keine',
  },
  attention: {
    title: 'Zu erledigen',
    none: 'Es gibt nichts zu erledigen.',
    deletion: (day) => `Die Organisation wird am ${day} gelöscht`,
    deletionText: 'Bis dahin kann ein Inhaber sie in den Einstellungen wiederherstellen.',
    settings: 'Zu den Einstellungen',
    solve: 'Beheben',
    solveNamed: (product) => `Zahlung für ${product} beheben`,
    invoice: (product, amount) => `${product}: ${amount} zu zahlen`,
    cardExpires: (card) => `${card} läuft bald ab`,
    cardExpired: (card) => `${card} ist abgelaufen`,
    cardText: (date) => `Mit ihr werden Ihre Abonnements bezahlt. Gültig bis ${date}.`,
    cards: 'Zu den Karten',
    expiredInvitation: (email) => `Die Einladung von ${email} ist abgelaufen`,
    expiredInvitationText:
      'Sie wurde nicht rechtzeitig angenommen. Ziehen Sie sie zurück, oder laden Sie die Person erneut ein.',
    openInvitations: (count) => (count === 1 ? '1 Einladung ist offen' : `${count} Einladungen sind offen`),
    openInvitationsText: 'Noch nicht angenommen.',
    members: 'Zu den Mitgliedern',
  },
  spend: {
    title: 'Ausgaben',
    total: (amount) => `${amount} in den letzten zwölf Monaten`,
    none: 'In den letzten zwölf Monaten wurde nichts bezahlt.',
    caption: 'Ausgaben nach Monat',
    month: 'Monat',
    amount: 'Betrag',
    seeInvoices: 'Zu den Rechnungen',
  },
  activity: { title: 'Letzte Änderungen', all: 'Alle Aktivitäten' },
}
