import type { activity as en } from '../en/activity.ts'

const withCoupon = (code: string) => (code === '' ? '' : ` mit dem Gutschein ${code}`)
/** The reason of a cancellation, after its sentence. */
const because = (reason: string) => (reason === '' ? '' : ` (${reason})`)

/** The audit log. Its sentences begin with the actor: `Ada` + `hat Monitoring gekauft`. */
export const activity: typeof en = {
  title: 'Aktivitäten',
  lead: 'Jede Änderung an Produkten, Zahlungen, Mitgliedern und Angaben.',
  none: 'Noch ist nichts geschehen',
  noneText: 'Hier erscheinen Käufe, Einladungen und andere Änderungen.',
  formerMember: 'Ein früheres Mitglied',
  someApiClient: 'Ein API-Client',
  within: { formerMember: 'ein früheres Mitglied', someApiClient: 'ein API-Client' },
  apiClient: (name) => `API-Client „${name}“`,
  actors: {
    user: 'Ein Benutzer',
    gateway: 'Der Zahlungsdienstleister',
    operator: 'Der Support',
    system: 'Das System',
  },
  endOfPeriod: 'zum Ende des Zeitraums',
  words: {
    role: { owner: 'Inhaber', billing_admin: 'Abrechnungsverwaltung', member: 'Mitglied' },
    status: {
      pending: 'in Bearbeitung',
      incomplete: 'noch nicht bezahlt',
      trialing: 'Testphase',
      active: 'aktiv',
      past_due: 'überfällig',
      unpaid: 'nicht bezahlt',
      paused: 'pausiert',
      canceled: 'beendet',
    },
    field: { name: 'Name', email: 'E-Mail-Adresse', address: 'Anschrift', tax_id: 'Steuernummer' },
    reason: {
      too_expensive: 'zu teuer',
      missing_features: 'Funktionen fehlen',
      unused: 'nicht genutzt',
      switched_service: 'nutzt jetzt einen anderen Dienst',
      other: 'ein anderer Grund',
    },
    gateway: { card: 'mit Karte' },
  },
  byInvoice: (days) => `auf Rechnung, fällig nach ${days}`,
  sentences: {
    'organization.created': () => 'hat die Organisation erstellt',
    'organization.renamed': ({ text }) => `hat die Organisation von „${text('from')}“ in „${text('to')}“ umbenannt`,
    'organization.transferred': ({ receiver }) => `hat die Organisation an ${receiver()} übergeben`,
    'organization.gateway_changed': ({ payment }) => `hat die Zahlungsweise der Organisation geändert: ${payment()}`,
    'invoice.written_off': () => 'hat eine unbezahlte Rechnung ausgebucht',
    'organization.deletion_scheduled': () => 'hat die Löschung der Organisation veranlasst',
    'organization.restored': () => 'hat die Organisation wiederhergestellt',
    'member.invited': ({ role }) => `hat jemanden eingeladen, mit der Rolle ${role('role')}`,
    'member.joined': ({ role }) => `ist beigetreten, mit der Rolle ${role('role')}`,
    'member.role_changed': ({ user, role }) => `hat die Rolle eines Mitglieds geändert: ${user()} → ${role('to')}`,
    'member.removed': ({ user }) => `hat ${user()} entfernt`,
    'member.left': () => 'hat die Organisation verlassen',
    'member.factors_reset_approved': ({ user }) =>
      `hat zugestimmt, dass die zweiten Faktoren eines Mitglieds entfernt werden: ${user()}`,
    'invitation.resent': () => 'hat eine Einladung erneut gesendet',
    'invitation.revoked': () => 'hat eine Einladung zurückgezogen',
    'invitation.declined': () => 'hat eine Einladung abgelehnt',
    'subscription.purchased': ({ product, text }) => `hat ${product()}${withCoupon(text('coupon_code'))} gekauft`,
    'subscription.renewed': ({ product, day }) => `hat ${product()} bis ${day('period_end')} verlängert`,
    'subscription.status_changed': ({ product, status }) =>
      `hat den Zustand von ${product()} geändert: ${status('from')} → ${status('to')}`,
    'subscription.cancellation_scheduled': ({ product, day, reason }) =>
      `hat ${product()} gekündigt; es funktioniert noch bis ${day('cancel_at')}${because(reason())}`,
    'subscription.resumed': ({ product }) => `hat ${product()} fortgesetzt`,
    'subscription.canceled': ({ product, reason }) => `hat ${product()} beendet${because(reason())}`,
    'subscription.adopted': ({ product }) => `hat ein Abonnement mit ${product()} verknüpft`,
    'subscription.released': ({ product }) => `hat ${product()} freigegeben`,
    'subscription.refunded': ({ product }) => `hat ${product()} erstattet`,
    'payment_method.default_changed': () => 'hat die Standardkarte geändert',
    'payment_method.removed': () => 'hat eine Karte entfernt',
    'api_client.created': ({ text }) => `hat den API-Client „${text('name')}“ erstellt`,
    'api_client.scopes_changed': ({ apiClient }) => `hat die Rechte geändert: ${apiClient()}`,
    'api_client.rotated': ({ apiClient }) => `hat ein neues Geheimnis erstellt: ${apiClient()}`,
    'api_client.deleted': ({ text }) => `hat den API-Client „${text('name')}“ gelöscht`,
    'user.suspended': ({ user }) => `hat ${user()} gesperrt`,
    'user.restored': ({ user }) => `hat ${user()} entsperrt`,
    'user.signed_out': ({ user }) => `hat ${user()} überall abgemeldet`,
    'user.factor_removal_scheduled': ({ user }) => `hat die Entfernung der zweiten Faktoren von ${user()} vorgemerkt`,
    'user.factors_removed': ({ user }) => `hat die zweiten Faktoren von ${user()} entfernt`,
    'details.changed': ({ fields }) => `hat die Rechnungsangaben geändert${fields() && `: ${fields()}`}`,
  },
}
