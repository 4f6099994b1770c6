import type { domains as en } from '../en/domains.ts'

export const domains: typeof en = {
  title: 'Domains',
  lead: (organization) =>
    `Zeigen Sie, welche Domains ${organization} gehören, und lassen Sie Ihre Leute über sie beitreten.`,
  none: 'Noch keine Domain',
  noneText: 'Fügen Sie unten die Domain Ihrer E-Mail-Adressen hinzu.',
  listTitle: 'Ihre Domains',
  statuses: { pending: 'Nicht bestätigt', verified: 'Bestätigt', lost: 'Verloren' },
  explained: {
    pending: 'Fügen Sie der Domain den Eintrag hinzu, und bestätigen Sie sie dann.',
    verified: 'Wir suchen ihren Eintrag jede Woche. Lassen Sie ihn stehen.',
    lost: 'Der Eintrag fehlte dreimal in Folge. Setzen Sie ihn wieder, und bestätigen Sie die Domain dann.',
  },
  record: {
    lead: 'Dieser TXT-Eintrag bestätigt die Domain. Setzen Sie ihn dort, wo Sie sie verwalten; andere Einträge bleiben, wie sie sind.',
    name: 'Name des TXT-Eintrags',
    value: 'Wert des TXT-Eintrags',
  },
  verify: {
    button: 'Bestätigen',
    named: (domain) => `${domain} bestätigen`,
    done: (domain) => `${domain} ist bestätigt`,
    reasons: {
      no_record:
        'Es gibt noch keinen TXT-Eintrag mit diesem Namen. Bis ein neuer Eintrag zu sehen ist, kann eine Stunde vergehen: Versuchen Sie es später noch einmal.',
      other_value: 'Der TXT-Eintrag mit diesem Namen hat einen anderen Wert. Vergleichen Sie ihn mit dem Wert unten.',
      no_answer: 'Die Nameserver der Domain antworten nicht. Versuchen Sie es später noch einmal.',
    },
  },
  membership: {
    label: (domain) => `Personen mit einer Adresse bei ${domain}`,
    none: 'Brauchen eine Einladung',
    offer: 'Bekommen den Beitritt angeboten',
    join: 'Treten bei, wenn ihre Adresse bestätigt wird',
    done: 'Gespeichert',
  },
  remove: {
    button: 'Löschen',
    named: (domain) => `${domain} löschen`,
    question: (domain) => `${domain} löschen?`,
    confirm: 'Domain löschen',
    effects: 'Mitglieder bleiben Mitglieder. Eine andere Organisation kann die Domain dann bestätigen.',
    done: (domain) => `${domain} ist gelöscht`,
  },
  add: {
    title: 'Domain hinzufügen',
    domain: 'Name der Domain',
    hint: 'Genau das, was in Ihren Adressen nach dem @ steht. Subdomains fügen Sie einzeln hinzu.',
    problem: 'Geben Sie eine Domain wie example.com an, ohne https und ohne Adresse.',
    button: 'Domain hinzufügen',
    done: 'Fügen Sie der Domain jetzt den TXT-Eintrag hinzu',
  },
}
