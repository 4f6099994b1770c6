import type { activityList as en } from '../en/activityList.ts'

/** What the page of activity finds and saves. */
export const activityList: typeof en = {
  kind: 'Art der Änderung',
  kinds: {
    any: 'Jede Änderung',
    products: 'Produkte',
    money: 'Karten, Rechnungen und Rechnungsdaten',
    people: 'Mitglieder und Einladungen',
    programs: 'API-Clients und Webhooks',
    organization: 'Organisation',
  },
  person: 'Von',
  anyone: 'Alle',
  period: 'Zeitraum',
  periods: { any: 'Alles', 7: 'Letzte 7 Tage', 30: 'Letzte 30 Tage', 90: 'Letzte 90 Tage' },
  none: 'Keine Änderung passt dazu',
  showAll: 'Alle Änderungen zeigen',
  save: 'Als CSV herunterladen',
  file: 'aktivitaet',
  columns: { time: 'Zeit', person: 'Von', change: 'Änderung', action: 'Aktion', target: 'Ziel', id: 'Id' },
}
