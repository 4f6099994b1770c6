import type { session as en } from '../en/session.ts'

/** The sign-in. */
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
}
