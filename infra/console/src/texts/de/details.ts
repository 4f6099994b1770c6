import type { details as en } from '../en/details.ts'

/** The billing details and their form. */
export const details: typeof en = {
  title: 'Rechnungsangaben',
  lead: 'Sie stehen auf Ihren Rechnungen. Belege gehen an die E-Mail-Adresse.',
  who: 'Rechnungsempfänger',
  name: 'Name',
  email: 'E-Mail-Adresse',
  address: 'Anschrift',
  country: 'Land',
  chooseCountry: 'Land auswählen',
  line1: 'Straße und Hausnummer',
  line2: 'Etage, Adresszusatz',
  postalCode: 'Postleitzahl',
  city: 'Ort',
  state: 'Bundesland oder Provinz',
  taxId: 'Steuernummer',
  taxIdKind: 'Art',
  taxIdNone: 'Keine',
  taxIdElsewhere: 'Eines anderen Landes …',
  taxIdNumber: 'Nummer',
  save: 'Angaben speichern',
  saved: 'Ihre Rechnungsangaben sind gespeichert',
  discard: 'Änderungen verwerfen',
  conflict:
    'Die Angaben wurden anderswo geändert, während Sie sie bearbeitet haben. Sie sehen jetzt den neuesten Stand mit Ihren Änderungen. Prüfen Sie ihn, und speichern Sie erneut.',
}
