import type { problems as en } from '../en/problems.ts'

const signInAgain = 'Ihre Anmeldung ist abgelaufen. Melden Sie sich erneut an.'
const notForApplication = 'Die Console darf das nicht. Wenden Sie sich an den Support.'

/** Failures in a customer's words. */
export const problems: typeof en = {
  offline: 'Keine Verbindung zum Dienst. Prüfen Sie Ihre Internetverbindung, und versuchen Sie es erneut.',
  page: 'Auf der Seite ist etwas schiefgegangen. Laden Sie sie neu, und versuchen Sie es erneut.',
  stepUp:
    'Ihre Anmeldung ist dafür noch nicht neu genug. Versuchen Sie es erneut, und melden Sie sich an, wenn Sie dazu aufgefordert werden.',
  refused: 'Der Dienst hat das abgelehnt. Prüfen Sie Ihre Eingaben, oder wenden Sie sich an den Support.',
  codes: {
    access_denied: signInAgain,
    already_member: 'Diese Person ist bereits Mitglied.',
    api_client_not_found: 'Diesen API-Client gibt es nicht mehr.',
    api_client_rotating:
      'Ein anderer Inhaber hat diesem API-Client gerade ein neues Geheimnis gegeben. Laden Sie die Seite neu: Wenn Sie dann ein neues Geheimnis erstellen, enden beide.',
    authorization_pending: signInAgain,
    card_declined: 'Die Bank hat die Karte abgelehnt. Versuchen Sie es mit einer anderen, oder fragen Sie Ihre Bank.',
    card_not_accepted: 'Diese Organisation zahlt auf Rechnung und braucht deshalb keine Karte.',
    checkout_in_progress: 'Ein Kauf dieses Produkts wird gerade abgeschlossen. Warten Sie einen Moment.',
    client_not_allowed: 'Diese Organisation lässt diese Anwendung nicht zu.',
    consent_not_found: 'Diese Einwilligung gibt es nicht mehr.',
    details_in_use: 'Eine unbezahlte Rechnung braucht diese Angaben. Sie können sie ändern, aber nicht entfernen.',
    email_already_exists: 'Mit dieser E-Mail-Adresse gibt es bereits ein Konto.',
    email_not_verified:
      'Bestätigen Sie zuerst Ihre E-Mail-Adresse. Den Link dazu finden Sie in der E-Mail, die wir Ihnen gesendet haben.',
    expired_token: signInAgain,
    factor_too_new:
      'Ihr zweiter Faktor wurde vor weniger als 24 Stunden hinzugefügt und genügt hierfür noch nicht. Warten Sie so lange, oder melden Sie sich mit einem älteren an.',
    forbidden: 'Ihre Rolle in dieser Organisation erlaubt das nicht. Fragen Sie einen Inhaber.',
    gateway_refused:
      'Der Zahlungsdienstleister hat das nicht angenommen. Prüfen Sie Ihre Eingaben, oder wenden Sie sich an den Support.',
    gateway_unavailable:
      'Der Zahlungsdienstleister ist gerade nicht erreichbar. Sie können es gleich ohne Risiko erneut versuchen.',
    insufficient_scope: notForApplication,
    insufficient_user_authentication: signInAgain,
    internal_error: 'Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.',
    invalid_client: notForApplication,
    invalid_grant: signInAgain,
    invalid_request: 'Prüfen Sie Ihre Eingaben.',
    invalid_scope: notForApplication,
    invalid_token: signInAgain,
    invitation_invalid: 'Diese Einladung gibt es nicht mehr.',
    invitation_not_found: 'Diese Einladung gibt es nicht mehr.',
    break_glass_owner:
      'Dieser Inhaber hat die Firmenanmeldung zur Pflicht gemacht und braucht sie selbst nicht. Zuerst muss ein anderer Inhaber sie speichern oder die Pflicht aufheben.',
    last_owner: 'Eine Organisation braucht einen Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.',
    link_invalid: 'Dieser Link funktioniert nicht mehr.',
    member_deleting: 'Das Konto dieser Person wird gelöscht und kann deshalb keine Organisation besitzen.',
    member_not_found: 'Diese Person ist kein Mitglied mehr.',
    not_subscribed: 'Für dieses Produkt gibt es kein Abonnement.',
    nothing_to_pay: 'Es ist nichts mehr zu bezahlen.',
    organization_deleting:
      'Diese Organisation wird gelöscht. Ein Inhaber kann sie in den Einstellungen wiederherstellen.',
    organization_not_found: 'Diese Organisation gibt es nicht, oder Sie sind nicht Mitglied.',
    organization_owes: 'Es gibt unbezahlte Rechnungen. Bezahlen Sie diese zuerst, oder wenden Sie sich an den Support.',
    organization_subscribed:
      'Es gibt noch Abonnements. Kündigen Sie sie zuerst; ein gekündigtes läuft eventuell noch bis zum Ende seines Zeitraums.',
    payload_too_large: 'Das ist zu viel Text auf einmal.',
    payment_method_in_use:
      'Mit dieser Karte werden Ihre Abonnements bezahlt, und keine andere hat schon bezahlt. Machen Sie eine andere zur Standardkarte, und entfernen Sie diese nach der nächsten Zahlung.',
    payment_method_invalid: 'Diese Karte kann nicht mehr verwendet werden. Wählen Sie eine andere.',
    payment_method_not_found: 'Diese Karte gibt es nicht mehr.',
    invoice_not_found: 'Diese Rechnung gibt es nicht.',
    payment_method_required: 'Wählen Sie eine Karte, mit der Sie bezahlen.',
    precondition_failed:
      'Das wurde inzwischen anderswo geändert. Laden Sie die Seite neu, und versuchen Sie es erneut.',
    rate_limited: 'Das war viel auf einmal. Warten Sie ein wenig, und versuchen Sie es erneut.',
    request_in_progress: 'Das wird bereits erledigt. Warten Sie einen Moment.',
    second_factor_required:
      'Diese Organisation verlangt einen zweiten Faktor. Fügen Sie unter „Anmeldung und Sicherheit“ einen hinzu und melden Sie sich dann neu an.',
    service_unavailable:
      'Der Dienst kann gerade nicht antworten. Es wurde nichts doppelt geändert: Versuchen Sie es gleich noch einmal.',
    session_not_found: 'Diese Sitzung ist bereits beendet.',
    slow_down: signInAgain,
    sole_owner:
      'Sie sind der einzige Inhaber einer Organisation mit weiteren Mitgliedern. Machen Sie zuerst jemand anderen zum Inhaber.',
    subscription_ended: 'Dieses Abonnement ist beendet. Sie können das Produkt erneut kaufen.',
    webhook_delivery_not_found: 'Diese Zustellung wird nicht mehr aufgeführt.',
    domain_not_found: 'Diese Domain ist nicht mehr eingetragen.',
    domain_required: 'Bestätigen Sie zuerst eine Domain der Organisation.',
    sso_not_found: 'Die Firmenanmeldung wurde gelöscht.',
    domain_not_proven:
      'Der TXT-Eintrag wurde nicht gefunden. Neue Einträge brauchen etwas Zeit: Versuchen Sie es später noch einmal.',
    domain_taken: 'Diese Domain gehört einer anderen Organisation. Diese muss sie zuerst löschen.',
    too_many_domains: 'Eine Organisation hat höchstens 20 Domains. Löschen Sie eine, die Sie nicht mehr brauchen.',
    webhook_endpoint_not_found: 'Diesen Webhook-Endpunkt gibt es nicht mehr.',
    webhook_endpoint_disabled: 'Dieser Webhook-Endpunkt ist deaktiviert. Aktivieren Sie ihn zuerst.',
    too_many_endpoints:
      'Eine Organisation hat höchstens 10 Webhook-Endpunkte. Löschen Sie einen, den Sie nicht mehr brauchen.',
    too_many_api_clients:
      'Eine Organisation hat höchstens 20 API-Clients. Löschen Sie einen, der nicht mehr verwendet wird.',
    too_many_attempts: 'Das war viel auf einmal. Warten Sie ein wenig, und versuchen Sie es erneut.',
    too_many_organizations: 'Ihnen gehören viele Organisationen. Löschen oder verlassen Sie zuerst einige davon.',
    unauthorized: signInAgain,
    unauthorized_client: notForApplication,
    unexpected_answer:
      'Der Dienst hat eine Antwort gegeben, die die Seite nicht versteht. Versuchen Sie es gleich noch einmal.',
    unsupported_grant_type: notForApplication,
    username_already_exists: 'Dieser Benutzername ist bereits vergeben. Wählen Sie einen anderen.',
    validation_error: 'Prüfen Sie Ihre Eingaben.',
    wrong_password: 'Das Passwort ist falsch.',
  },
  fields: {
    missing: 'Füllen Sie dieses Feld aus.',
    string_too_short: 'Das ist zu kurz.',
    string_too_long: 'Das ist zu lang.',
    other: 'Prüfen Sie diese Angabe.',
    name: 'Verwenden Sie 1 bis 100 gewöhnliche Zeichen.',
    email: 'Das ist keine E-Mail-Adresse.',
    username:
      'Verwenden Sie 3 bis 32 Buchstaben (a–z), Ziffern, Punkte, Binde- oder Unterstriche, mit einem Buchstaben oder einer Ziffer am Anfang und am Ende.',
    newPassword:
      'Verwenden Sie 8 bis 128 Zeichen, die schwer zu erraten sind: nicht Ihren Namen oder Ihre Adresse, und kein Passwort, das aus einem Datenleck bekannt ist.',
    country: 'Wählen Sie ein Land.',
    taxId: 'Das sieht nicht wie eine Steuernummer dieser Art aus.',
  },
  payment: {
    form_loading: 'Das Kartenformular wird noch geladen. Versuchen Sie es gleich noch einmal.',
    form_failed: 'Das Kartenformular konnte nicht geladen werden.',
    form_offline:
      'Das Kartenformular konnte nicht geladen werden. Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.',
    set_up_failed: 'Die Karte konnte nicht eingerichtet werden.',
    not_confirmed: 'Die Zahlung wurde nicht bestätigt.',
  },
}
