import type { apiClients as en } from '../en/apiClients.ts'

/** The programs that act for an organization. */
export const apiClients: typeof en = {
  title: 'API-Clients',
  lead: (organization) => `Programme, die selbstständig für ${organization} handeln, etwa Ihr eigener Server.`,
  none: 'Kein Programm hat Zugriff',
  createBelow: 'Erstellen Sie unten einen API-Client, um die API von einem Server aus aufzurufen.',
  owners: 'Inhaber erstellen API-Clients, geben ihnen neue Geheimnisse und löschen sie.',
  seeMembers: 'Mitglieder ansehen',
  askOwner: 'Ein Inhaber der Organisation kann einen API-Client erstellen.',
  scopes: {
    'entitlements:read': 'Sehen, was die Organisation gekauft hat',
    'billing:read': 'Abonnements, Preise, Karten, Rechnungen und Rechnungsangaben sehen',
    'billing:write': 'Produkte kaufen, kündigen und fortsetzen, Karten und Rechnungsangaben ändern',
    'members:read': 'Sehen, wer zur Organisation gehört, ohne E-Mail-Adressen',
    'audit_log:read': 'Sehen, wer was in der Organisation geändert hat',
    'events:read': 'Die Ereignisse sehen, die an Webhooks gesendet werden',
  },
  twoSecrets: 'Zwei Geheimnisse',
  createdUnused: (day) => `Erstellt am ${day} · Noch nie verwendet`,
  createdUsed: (day, lastUsed) => `Erstellt am ${day} · Zuletzt verwendet: ${lastUsed}`,
  oldSecretUntil: (time) => `Das alte Geheimnis gilt bis ${time}`,
  create: {
    title: 'API-Client erstellen',
    name: 'Name',
    hint: 'Was das Programm tut, damit Sie es wiedererkennen.',
    example: 'Nächtlicher Export',
    may: 'Er darf',
    button: 'API-Client erstellen',
  },
  rotate: {
    button: 'Neues Geheimnis',
    named: (name) => `Neues Geheimnis für ${name}`,
    question: (name) => `${name} ein neues Geheimnis geben?`,
    confirm: 'Neues Geheimnis erstellen',
    keep: 'Geheimnis behalten',
    expiry: 'Das jetzige Geheimnis',
    expiries: { '24h': 'Gilt noch 24 Stunden', '1h': 'Gilt noch eine Stunde', now: 'Gilt ab sofort nicht mehr' },
    effects: {
      '24h':
        'Das jetzige Geheimnis und das neue gelten beide 24 Stunden lang. Tragen Sie das neue in dieser Zeit in Ihr Programm ein: Danach wird das alte abgelehnt.',
      '1h': 'Tragen Sie das neue Geheimnis innerhalb einer Stunde in Ihr Programm ein: Danach wird das alte abgelehnt.',
      now: 'Wählen Sie das, wenn Fremde das Geheimnis kennen könnten. Ihr Programm wird abgelehnt, bis es das neue hat. Seine Zugriffstokens gelten noch bis zu 15 Minuten.',
    },
    endsBoth:
      'Dieser API-Client hat zwei Geheimnisse. Beide gelten ab sofort nicht mehr, und Ihr Programm wird abgelehnt, bis es das neue hat. Seine Zugriffstokens gelten noch bis zu 15 Minuten.',
  },
  remove: {
    button: 'Löschen',
    named: (name) => `${name} löschen`,
    question: (name) => `${name} löschen?`,
    confirm: 'API-Client löschen',
    effects:
      'Das Geheimnis und die Zugriffstokens gelten sofort nicht mehr, und das Programm funktioniert nicht mehr. Das kann nicht rückgängig gemacht werden.',
    done: (name) => `${name} wurde gelöscht`,
  },
  secret: {
    title: (name) => `Das Geheimnis von ${name}`,
    lostTitle: (name) => `Das Geheimnis von ${name} ist nicht angekommen`,
    lost: 'Der API-Client ist erstellt, aber die Antwort mit dem Geheimnis ging verloren. Geben Sie ihm in der Liste ein neues.',
    store:
      'Bewahren Sie das Geheimnis jetzt dort auf, wo nur Ihr Programm es lesen kann. Es wird nicht noch einmal angezeigt.',
    id: 'Client-ID',
    secret: 'Client-Geheimnis',
    command: 'Befehl, der ein Zugriffstoken holt',
    stored: 'Ich habe es aufbewahrt',
  },
}
